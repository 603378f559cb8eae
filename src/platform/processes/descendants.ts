import { readFileSync, readdirSync } from 'node:fs';

/** A process that was there. Ids are given out again; when it started tells it from a later one. */
export interface KnownProcess {
  readonly id: number;
  readonly parent: number;
  /** Ticks of the clock since the machine started. */
  readonly startedAt: number;
}

/** The living children of a process, their children, and so on; empty where /proc is not to be had. */
export function descendantsOf(pid: number): KnownProcess[] {
  const children = Map.groupBy(processes(), ({ parent }) => parent);
  const found: KnownProcess[] = [];
  const waiting = [pid];
  while (waiting.length > 0) {
    const next = children.get(waiting.pop()!) ?? [];
    found.push(...next);
    waiting.push(...next.map(({ id }) => id));
  }
  return found;
}

/** Undefined for a process that is gone, or has ended. Its name (proc(5)) may hold anything, brackets included. */
export function knownProcess(id: number): KnownProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, startedAt] = [fields[0], Number(fields[1]), Number(fields[19])];
    return state === 'Z' ? undefined : { id, parent, startedAt };
  } catch {
    return undefined;
  }
}

/** Tests whether a process is still the one that it was. */
export function isLiving({ id, startedAt }: KnownProcess): boolean {
  return knownProcess(id)?.startedAt === startedAt;
}

function processes(): KnownProcess[] {
  try {
    const ids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
    return ids.flatMap((entry) => knownProcess(Number(entry)) ?? []);
  } catch {
    return [];
  }
}
