import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const ROUNDS = 20;
const ROUND_MS = 25;

/** Ids of processes with a word in their command line. */
export function processesNamed(word: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid && hasWord(entry, word))
    .map(Number);
}

/** Ids of the processes that still run after half a second: the kernel takes a moment to end a namespace. */
export async function survivorsOf(word: string): Promise<number[]> {
  let found = processesNamed(word);
  for (let round = 0; round < ROUNDS && found.length > 0; round++) {
    await delay(ROUND_MS);
    found = processesNamed(word);
  }
  return found;
}

/** Kills processes. */
export function endAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

function hasWord(entry: string, word: string): boolean {
  try {
    return readFileSync(`/proc/${entry}/cmdline`, 'latin1').includes(word);
  } catch {
    return false;
  }
}
