import { writeFile } from 'node:fs/promises';
import { messageOf, usageError } from '../../../errors.ts';
import { printable } from '../../../platform/text/printable.ts';
import { listenForInterrupts } from '../../interrupt.ts';

/** Options of every benchmark on where its results go. */
export interface BenchOutput {
  /** Path of the JSON file, or `-` for stdout. */
  readonly json?: string;
  /** `json`: only JSON goes to stdout. */
  readonly format?: 'text' | 'json';
}

export type Say = (line: string) => void;

export interface BenchResult {
  readonly report: unknown;
  /** The report as a table. */
  readonly lines: readonly string[];
}

/** Runs a benchmark, prints its table and writes its JSON. The first Ctrl-C ends it with the results so far. */
export async function runBench(
  { json, format }: BenchOutput,
  bench: (say: Say, signal: AbortSignal) => Promise<BenchResult>,
): Promise<void> {
  const targets = new Set([...(json === undefined ? [] : [json]), ...(format === 'json' ? ['-'] : [])]);
  const stream = targets.has('-') ? process.stderr : process.stdout;
  const say: Say = (line) => void stream.write(`${printable(line)}\n`);
  const interruption = listenForInterrupts(say, 1);
  try {
    const { report, lines } = await bench(say, interruption.signal);
    for (const line of ['', ...lines]) say(line);
    for (const target of targets) await writeJson(target, report);
    if (interruption.signal.aborted) process.exitCode = interruption.exitCode();
  } finally {
    interruption.close();
  }
}

async function writeJson(target: string, report: unknown): Promise<void> {
  const text = `${JSON.stringify(report, null, 2)}\n`;
  if (target === '-') return void process.stdout.write(text);
  await writeFile(target, text).catch((error: unknown) => {
    throw usageError(`--json ${target} cannot be written: ${messageOf(error)}`);
  });
}
