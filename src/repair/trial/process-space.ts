import { readFileSync, readlinkSync } from 'node:fs';
import { descendantsOf } from '../../platform/processes/descendants.ts';

/** The PID namespace of a process, such as `pid:[4026531836]`; '' on systems without namespaces. */
export function processSpace(pid = 'self'): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return '';
  }
}

/**
 * The id, in this namespace, of a process whose id in the namespace `space` is `pid`: a sandbox has a namespace of its
 * own. Undefined if the process has ended or is no descendant of this one; both arguments come from code under test
 * and are not trusted.
 */
export function processIn(space: string, pid: number): number | undefined {
  const own = descendantsOf(process.pid).map(({ id }) => id);
  if (space === processSpace()) return own.includes(pid) ? pid : undefined;
  return own.find((id) => processSpace(String(id)) === space && innermostId(id) === pid);
}

/** The id in the innermost namespace: the last field of `NSpid` (proc(5)). */
function innermostId(id: number): number | undefined {
  try {
    const line = /^NSpid:(.*)$/m.exec(readFileSync(`/proc/${id}/status`, 'latin1'))?.[1];
    return Number(line?.trim().split(/\s+/).at(-1));
  } catch {
    return undefined;
  }
}
