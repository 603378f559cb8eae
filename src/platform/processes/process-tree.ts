import { closeSync, openSync, readFileSync, readSync, readdirSync, readlinkSync } from 'node:fs';
import { descendantsOf, isLiving, knownProcess, type KnownProcess } from './descendants.ts';

const GRACE_MS = 300;
const ROUNDS = 20;
const environment = Buffer.alloc(64 * 1024);

/**
 * Kills a process group, its descendants and every process with the tag, in other sessions too (setsid, double fork,
 * nohup): SIGTERM first, SIGKILL after 300 ms until none is left. A tag is a value in the environment, or the absolute
 * path of a folder that the process works in. Not found are processes that have removed the tag and whose parents have
 * ended; without /proc only the group is killed.
 */
export async function killTree(pid: number, tag: string): Promise<void> {
  // Listed now, because a descendant cannot be recognised after its parents have ended.
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

/** False if the system has given the id to another process. */
function isOurs(pid: number, tag: string): boolean {
  return knownProcess(pid)?.parent === process.pid && hasTag(String(pid), tag);
}

/** Ids of running processes with the tag (see `killTree`); empty without /proc. */
export function processesWith(tag: string): number[] {
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return [];
  }
  return entries.filter((entry) => /^\d+$/.test(entry) && hasTag(entry, tag)).map(Number);
}

function hasTag(pid: string, tag: string): boolean {
  try {
    const isTagged = tag.startsWith('/')
      ? `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${tag}/`)
      : contains(`/proc/${pid}/environ`, `RALPH_PROCESS_TAG=${tag}`);
    if (!isTagged) return false;
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Reads into one reused buffer, because this is called for every process of the machine. */
function contains(path: string, text: string): boolean {
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

/** Signal 0 also succeeds for a group whose only member is a zombie. */
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
      // It has ended.
    }
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
