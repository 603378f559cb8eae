import { statfsSync } from 'node:fs';
import type { Bounds } from '../sandbox/sandbox.ts';
import { descendantsOf, knownProcess, roughDescendantsOf, type KnownProcess } from './descendants.ts';
import { renderBytes } from '../text/bytes.ts';
import { bytesInMemory, usageOf } from './usage.ts';
import { unnamedBytes, writtenBytes } from './written-bytes.ts';

/** Looks at a program until `stop` is called. */
export interface LimitWatch {
  stop(): void;
}

const FIRST_LOOK_MS = 100;
/** A look at a machine with many processes takes longer; looking may take a 20th of the time. */
const PAUSE_FACTOR = 20;
/** A process may be missing in the quick list of descendants, but not look after look. */
const THOROUGH_EVERY = 10;
/** Of the space that was free when a program began, it may fill this share. */
const FREE_SHARE = 0.9;

/**
 * Calls `onExceeded` once, with the limit as the end of a sentence, when the program and its descendants use more than the
 * bounds allow. Memory and processes are looked at several times a second; files are measured only when the space on their
 * disk has shrunk by the limit.
 */
export function watchLimits(pid: number, bounds: Bounds, onExceeded: (limit: string) => void): LimitWatch {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let looks = 0;
  const disk = createDiskWatch(bounds);
  const look = async (): Promise<void> => {
    const started = performance.now();
    looks += 1;
    const below = looks % THOROUGH_EVERY === 0 ? descendantsOf(pid) : roughDescendantsOf(pid);
    const processes = [...[knownProcess(pid) ?? []].flat(), ...below];
    const exceeded = exceededUsage(processes, bounds) ?? (await disk(processes));
    if (isOver) return;
    if (exceeded !== undefined) return onExceeded(exceeded);
    timer = setTimeout(
      () => void look(),
      Math.max(FIRST_LOOK_MS, PAUSE_FACTOR * (performance.now() - started)),
    );
  };
  timer = setTimeout(() => void look(), FIRST_LOOK_MS);
  return {
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

function exceededUsage(processes: readonly KnownProcess[], { limits, inMemory }: Bounds): string | undefined {
  const { memoryBytes, unnamedBytes, sharedBytes, tasks } = usageOf(processes);
  if (tasks > limits.processes)
    return `it had ${tasks} processes and threads, more than the limit of ${limits.processes} (--limits processes=N changes it)`;
  const innermost = processes.at(-1);
  const named = innermost === undefined ? 0 : bytesInMemory(innermost.id, inMemory);
  // What a process shares may be those files, whose sizes are known.
  const memory = memoryBytes + named + Math.max(unnamedBytes, sharedBytes - named);
  if (memory <= limits.memoryBytes) return undefined;
  return `it used ${renderBytes(memory)} of memory, more than the limit of ${renderBytes(limits.memoryBytes)} (--limits memory=GIB changes it)`;
}

/** Returns the limit on files if it is exceeded. */
function createDiskWatch({ limits, onDisk }: Bounds): typeof exceeded {
  const startedMs = Date.now();
  const place = onDisk[0];
  const free = place === undefined ? 0 : freeBytes(place);
  const limit = Math.min(limits.diskBytes, FREE_SHARE * free);
  let nextLoss = limit;
  async function exceeded(processes: readonly KnownProcess[]): Promise<string | undefined> {
    const loss = place === undefined || limit === Infinity ? 0 : free - freeBytes(place);
    if (loss <= nextLoss || limit <= 0) return undefined;
    const written = (await writtenBytes(onDisk, startedMs)) + unnamedBytes(processes);
    // Something else filled the disk: measured again when a quarter more is gone.
    nextLoss = loss + limit / 4;
    if (written <= limit) return undefined;
    return `it wrote ${renderBytes(written)} of files, more than the limit of ${renderBytes(limit)} (--limits disk=GIB changes it)`;
  }
  return exceeded;
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
