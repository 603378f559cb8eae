import { readFileSync } from 'node:fs';

/**
 * Peak of resident memory of a process so far, in MB; 0 if the process does not exist. Taken from `/proc`, because the
 * `maxRSS` of Node starts with the peak of the process that started this one.
 */
export function peakMemoryOf(pid: number | 'self' | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
