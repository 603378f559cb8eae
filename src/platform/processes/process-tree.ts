import { closeSync, openSync, readFileSync, readSync, readdirSync } from 'node:fs';
import { descendantsOf, isLiving, knownProcess, type KnownProcess } from './descendants.ts';

const GRACE_MS = 300;
const ROUNDS = 20;
const environment = Buffer.alloc(64 * 1024);

/**
 * Kills a process group and every process whose environment carries the tag, wherever it moved to (setsid,
 * double fork, nohup), and its descendants: TERM first, KILL after a moment, until none is left. Best effort: one
 * that gave up its environment and whose parents have ended is not found, and without /proc only the group is.
 */
export async function killTree(pid: number, tag: string): Promise<void> {
  // Once their parents are gone nobody knows whose they were.
  const children = isOurs(pid, tag) ? descendantsOf(pid) : [];
  signalAll(pid, tag, 'SIGTERM', children);
  const deadline = Date.now() + GRACE_MS;
  const isThere = (): boolean => isAlive(pid, tag) || children.some(isLiving);
  while (Date.now() < deadline && isThere()) await delay(15);
  for (let round = 0; round < ROUNDS && isThere(); round++) {
    signalAll(pid, tag, 'SIGKILL', children);
    await delay(10);
  }
}

/** The id of a program that has ended may be another one's by now. */
function isOurs(pid: number, tag: string): boolean {
  return knownProcess(pid)?.parent === process.pid && carries(String(pid), tag);
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
    if (!holds(`/proc/${pid}/environ`, `RALPH_PROCESS_TAG=${tag}`)) return false;
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Every process of the machine is looked at, so its environment goes into a buffer that is there already. */
function holds(path: string, text: string): boolean {
  const file = openSync(path, 'r');
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < environment.length; length += read) {
      read = readSync(file, environment, length, environment.length - length, null);
    }
    if (length < environment.length) return environment.subarray(0, length).includes(text, 0, 'latin1');
  } finally {
    closeSync(file);
  }
  return readFileSync(path, 'latin1').includes(text);
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

function signalAll(
  pid: number,
  tag: string,
  signal: NodeJS.Signals,
  children: readonly KnownProcess[],
): void {
  for (const target of [-pid, ...processesWith(tag), ...children.filter(isLiving).map(({ id }) => id)]) {
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
