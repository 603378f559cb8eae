import { readFileSync, statSync, statfsSync } from 'node:fs';
import type { KnownProcess } from './descendants.ts';

/** What some processes use at one moment. */
export interface Usage {
  /** Memory that they do not share with files. */
  readonly memoryBytes: number;
  /** Processes and threads. */
  readonly tasks: number;
}

/** Sums up /proc/PID/status (proc_pid_status(5)); a process that has ended counts nothing. */
export function usageOf(processes: readonly KnownProcess[]): Usage {
  let memoryBytes = 0;
  let tasks = 0;
  for (const { id } of processes) {
    const status = readStatus(id);
    memoryBytes += 1024 * Number(/^RssAnon:\s*(\d+)/m.exec(status)?.[1] ?? 0);
    tasks += Number(/^Threads:\s*(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return { memoryBytes, tasks };
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
