import { readdirSync, readFileSync, readlinkSync, statSync, statfsSync } from 'node:fs';
import type { KnownProcess } from './descendants.ts';

/** What some processes use at one moment. */
export interface Usage {
  /** Memory of their own. */
  readonly memoryBytes: number;
  /** Files without a name in memory that they have open (memfd_create(2)). */
  readonly unnamedBytes: number;
  /** Most that one of them has of memory that can be shared, also of files in memory. */
  readonly sharedBytes: number;
  /** Processes and threads. */
  readonly tasks: number;
}

/** Sums up /proc/PID/status (proc_pid_status(5)); a process that has ended counts nothing. */
export function usageOf(processes: readonly KnownProcess[]): Usage {
  let memoryBytes = 0;
  let sharedBytes = 0;
  let tasks = 0;
  const unnamed = new Map<number, number>();
  for (const { id } of processes) {
    const status = readStatus(id);
    const valueOf = (name: string): number =>
      Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    memoryBytes += 1024 * valueOf('RssAnon');
    sharedBytes = Math.max(sharedBytes, 1024 * valueOf('RssShmem'));
    tasks += valueOf('Threads');
    for (const [inode, bytes] of unnamedFilesOf(id)) unnamed.set(inode, bytes);
  }
  const unnamedBytes = [...unnamed.values()].reduce((sum, bytes) => sum + bytes, 0);
  return { memoryBytes, unnamedBytes, sharedBytes, tasks };
}

const BLOCK_BYTES = 512;

/** Inodes and sizes of the files that a process has from memfd_create(2); processes may share them. */
function unnamedFilesOf(id: number): (readonly [inode: number, bytes: number])[] {
  const folder = `/proc/${id}/fd`;
  return namesIn(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    try {
      if (!readlinkSync(path).startsWith('/memfd:')) return [];
      const { ino, blocks } = statSync(path);
      return [[ino, blocks * BLOCK_BYTES] as const];
    } catch {
      // Closed meanwhile.
      return [];
    }
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The process has ended, or may not be seen.
    return [];
  }
}

function readStatus(id: number): string {
  try {
    return readFileSync(`/proc/${id}/status`, 'latin1');
  } catch {
    return '';
  }
}

/** TMPFS_MAGIC (statfs(2)). */
const IN_MEMORY = 0x0102_1994;

/**
 * Bytes in file systems in memory that a process sees at these absolute paths and this process does not. Zero if the root
 * of the process cannot be seen.
 */
export function bytesInMemory(id: number, paths: readonly string[]): number {
  const devices = new Map<number, number>();
  for (const path of paths) {
    try {
      const inside = `/proc/${id}/root${path}`;
      const { dev } = statSync(inside);
      if (devices.has(dev) || dev === deviceHere(path)) continue;
      const { type, blocks, bfree, bsize } = statfsSync(inside);
      devices.set(dev, type === IN_MEMORY ? (blocks - bfree) * bsize : 0);
    } catch {
      // The process has ended, or may not be seen.
    }
  }
  return [...devices.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function deviceHere(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.dev;
}
