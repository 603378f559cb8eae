import { existsSync, readFileSync, readdirSync } from 'node:fs';

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
  return walk(pid, (id) => children.get(id) ?? []);
}

/**
 * As `descendantsOf`, but reads no other process, of which a machine may have hundreds. One that is just being started or
 * given to another parent may be missing.
 */
export function roughDescendantsOf(pid: number): KnownProcess[] {
  return LISTS_CHILDREN ? walk(pid, listedChildren) : descendantsOf(pid);
}

function walk(pid: number, childrenOf: (id: number) => readonly KnownProcess[]): KnownProcess[] {
  const found: KnownProcess[] = [];
  const waiting = [pid];
  while (waiting.length > 0) {
    const next = childrenOf(waiting.pop()!);
    found.push(...next);
    waiting.push(...next.map(({ id }) => id));
  }
  return found;
}

/** A kernel may be built without the lists (proc_pid_task_children(5)). */
const LISTS_CHILDREN = existsSync(`/proc/self/task/${process.pid}/children`);

/** The children that each thread of a process has started; empty for one that has ended. */
function listedChildren(id: number): KnownProcess[] {
  try {
    const threads = readdirSync(`/proc/${id}/task`);
    return threads.flatMap((thread) => startedBy(`/proc/${id}/task/${thread}/children`));
  } catch {
    return [];
  }
}

/** Empty for a thread that has ended. */
function startedBy(list: string): KnownProcess[] {
  try {
    const ids = readFileSync(list, 'latin1').split(' ');
    return ids.flatMap((id) => (id === '' ? [] : (knownProcess(Number(id)) ?? [])));
  } catch {
    return [];
  }
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
