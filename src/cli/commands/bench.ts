import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { benchCommits } from '../../../bench/datasets/commits/index.ts';
import { renderCommit, renderCommitsReport } from '../../../bench/datasets/commits/report.ts';
import { benchHumanEvalFix } from '../../../bench/datasets/humanevalfix/index.ts';
import { renderReport, renderResult } from '../../../bench/datasets/humanevalfix/report.ts';
import { messageOf, usageError } from '../../errors.ts';
import { printable } from '../../platform/text/printable.ts';
import { listenForInterrupts } from '../interrupt.ts';

export interface BenchOutput {
  /** A file, or `-` for stdout. */
  readonly json?: string;
}

export interface HumanEvalFixOptions extends BenchOutput {
  readonly visible: 'example' | 'full';
  readonly mode: 'in-process' | 'repository';
  readonly budget: string;
  readonly jobs: string;
  readonly only?: string;
  readonly keep?: string;
}

/** `ralph bench humanevalfix FILE`; exit 0 when it ran to its end, whatever was repaired. */
export async function humanEvalFixCommand(file: string, options: HumanEvalFixOptions): Promise<void> {
  const { visible, mode, keep, only } = options;
  const how = {
    ...{ file, visible, mode },
    budgetMs: secondsOf(options.budget, '--budget') * 1000,
    jobs: countOf(options.jobs, '--jobs'),
    ...(keep !== undefined && { keep: resolve(keep) }),
    ...(only !== undefined && { only: listOf(only) }),
  };
  await runBench(options, async (say, signal) => {
    const report = await benchHumanEvalFix({
      ...how,
      signal,
      onResult: (result) => say(renderResult(result)),
    });
    return { report, lines: renderReport(report) };
  });
}

export interface CommitsOptions extends BenchOutput {
  readonly from?: string;
  readonly clones?: string;
  readonly budget: string;
}

/** `ralph bench commits [REPOSITORY] [COMMIT…]`; exit 0 when it ran to its end, whatever was repaired. */
export async function commitsCommand(
  repository: string | undefined,
  commits: readonly string[],
  { from, clones, budget, ...output }: CommitsOptions,
): Promise<void> {
  const budgetMs = secondsOf(budget, '--budget') * 1000;
  const targets = { repository, commits, from, clones };
  await runBench(output, async (say, signal) => {
    const onResult = (result: Parameters<typeof renderCommit>[0]): void => say(renderCommit(result));
    const report = await benchCommits({ ...targets, budgetMs, signal, onResult });
    return { report, lines: renderCommitsReport(report) };
  });
}

type Say = (line: string) => void;

interface Benched {
  readonly report: unknown;
  readonly lines: readonly string[];
}

/** Runs a benchmark, prints its table and writes its JSON; the first Ctrl-C ends it with what is there so far. */
async function runBench(
  { json }: BenchOutput,
  bench: (say: Say, signal: AbortSignal) => Promise<Benched>,
): Promise<void> {
  // With JSON on stdout, stdout is its alone.
  const stream = json === '-' ? process.stderr : process.stdout;
  const say: Say = (line) => void stream.write(`${printable(line)}\n`);
  const interruption = listenForInterrupts(say, 1);
  try {
    const { report, lines } = await bench(say, interruption.signal);
    for (const line of ['', ...lines]) say(line);
    if (json !== undefined) await writeJson(json, report);
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

function secondsOf(text: string, name: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value <= 86_400) return value;
  throw usageError(`${name} ${text}: it must be a number of seconds, more than 0.`);
}

function countOf(text: string, name: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= 1 && value <= 256) return value;
  throw usageError(`${name} ${text}: it must be a whole number, 1 or more.`);
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
