import { dirname, join } from 'node:path';
import { execa } from 'execa';
import type { RunEvent } from '../src/events.ts';

/** Absolute path of the built program. */
export const RALPH = join(import.meta.dirname, '..', 'bin', 'ralph.js');

/** A program that has ended. */
export interface Timed {
  /** Wall time. */
  readonly ms: number;
  readonly stdout: string;
  readonly exitCode: number | null;
}

/** Runs a program until it ends and measures the wall time. Rejects if it cannot be started. */
export async function time(
  file: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Timed> {
  const result = await execa(file, args, { cwd, env, stdin: 'ignore', stderr: 'ignore', reject: false });
  if (result.code !== undefined) throw result;
  return { ms: result.durationMs, stdout: result.stdout, exitCode: result.exitCode ?? null };
}

/** Runs `ralph run --format jsonl ARGS`, with its workspace beside the repository, and returns its wall time and events. */
export async function timeLoop(
  args: readonly string[],
  repository: string,
): Promise<{ ms: number; events: RunEvent[] }> {
  const { ms, stdout } = await time(
    process.execPath,
    [RALPH, 'run', '--format', 'jsonl', '--quiet', ...args],
    repository,
    { TMPDIR: dirname(repository) },
  );
  return {
    ms,
    events: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RunEvent),
  };
}

/** The middle value, or the mean of the two middle values. `values` is not empty. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Renders values as `median (minimum to maximum)`. */
export function spread(values: readonly number[], digits: number): string {
  return `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;
}
