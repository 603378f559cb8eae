import { readFileSync, readlinkSync } from 'node:fs';
import { descendantsOf } from '../../platform/processes/descendants.ts';

/** Names the process name space that this process runs in, such as `pid:[4026531836]`; empty where there are none. */
export function processSpace(of = 'self'): string {
  try {
    return readlinkSync(`/proc/${of}/ns/pid`);
  } catch {
    return '';
  }
}

/**
 * The id by which we know a process that has the id `pid` in its own name space: in a sandbox it has another one
 * there than here. Undefined where it is gone, and where it is no descendant of this process: what is told comes
 * from code under test.
 */
export function processIn(space: string, pid: number): number | undefined {
  const own = descendantsOf(process.pid).map(({ id }) => id);
  if (space === processSpace()) return own.includes(pid) ? pid : undefined;
  return own.find((id) => processSpace(String(id)) === space && innermostId(id) === pid);
}

/** The last of the ids in `NSpid` (proc(5)). */
function innermostId(id: number): number | undefined {
  try {
    const line = /^NSpid:(.*)$/m.exec(readFileSync(`/proc/${id}/status`, 'latin1'))?.[1];
    return Number(line?.trim().split(/\s+/).at(-1));
  } catch {
    return undefined;
  }
}
