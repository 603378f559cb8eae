import { readFileSync, readdirSync } from 'node:fs';

/** A process. The system reuses ids; the start time distinguishes it from a later one with the same id. */
export interface KnownProcess {
  readonly id: number;
  readonly parent: number;
  /** Clock ticks since the machine started. */
  readonly startedAt: number;
}

/** Running children of a process, their children, and so on; empty without /proc. */
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

/** Undefined for a process that has ended. Format: proc(5); the name may contain anything, brackets too. */
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

/** True if the process is still running. */
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
