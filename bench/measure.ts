import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { RunEvent } from '../src/events.ts';

/** The built program. */
export const RALPH = join(import.meta.dirname, '..', 'bin', 'ralph.js');

export interface Timed {
  readonly ms: number;
  readonly stdout: string;
  readonly exitCode: number | null;
}

/** Runs a program to its end and takes the wall time. */
export function time(file: string, args: readonly string[], cwd: string): Promise<Timed> {
  const started = performance.now();
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ ms: performance.now() - started, stdout, exitCode }));
  });
}

/** `ralph run --format jsonl`, its wall time and its events. */
export async function timeLoop(
  args: readonly string[],
  cwd: string,
): Promise<{ ms: number; events: RunEvent[] }> {
  const { ms, stdout } = await time(
    process.execPath,
    [RALPH, 'run', '--format', 'jsonl', '--quiet', ...args],
    cwd,
  );
  return {
    ms,
    events: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RunEvent),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** `median (min to max)`. */
export function spread(values: readonly number[], digits: number): string {
  return `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;
}
