import { readFileSync, readdirSync } from 'node:fs';

const GRACE_MS = 300;
const ROUNDS = 20;

/**
 * Kills a process group and every process whose environment carries the tag, wherever it moved to (setsid,
 * double fork, nohup): TERM first, KILL after a moment, until none is left. Best effort where there is no
 * /proc: then the process group alone.
 */
export async function killTree(pid: number, tag: string): Promise<void> {
  signalAll(pid, tag, 'SIGTERM');
  const deadline = Date.now() + GRACE_MS;
  while (Date.now() < deadline && isAlive(pid, tag)) await delay(15);
  for (let round = 0; round < ROUNDS && isAlive(pid, tag); round++) {
    signalAll(pid, tag, 'SIGKILL');
    await delay(10);
  }
}

/** Ids of living processes that carry the tag in their environment; empty where /proc is not to be had. */
export function processesWith(tag: string): number[] {
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return [];
  }
  return entries.filter((entry) => /^\d+$/.test(entry) && carries(entry, tag)).map(Number);
}

function carries(pid: string, tag: string): boolean {
  try {
    if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`RALPH_PROCESS_TAG=${tag}`)) return false;
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

function isAlive(pid: number, tag: string): boolean {
  return groupExists(pid) || processesWith(tag).length > 0;
}

function groupExists(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return !groupIsDead(pid);
  } catch {
    return false;
  }
}

/** A group whose only member is a zombie still answers signal 0. */
function groupIsDead(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

function signalAll(pid: number, tag: string, signal: NodeJS.Signals): void {
  for (const target of [-pid, ...processesWith(tag)]) {
    try {
      process.kill(target, signal);
    } catch {
      // Gone already.
    }
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
