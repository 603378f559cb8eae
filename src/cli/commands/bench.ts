import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { benchCommits } from '../../../bench/datasets/commits/index.ts';
import { renderCommit, renderCommitsReport } from '../../../bench/datasets/commits/report.ts';
import { benchHumanEvalFix } from '../../../bench/datasets/humanevalfix/index.ts';
import { renderReport, renderResult } from '../../../bench/datasets/humanevalfix/report.ts';
import { messageOf, usageError } from '../../errors.ts';
import { printable } from '../../platform/text/printable.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { parseWholeNumber } from '../values.ts';

const MAX_JOBS = 256;

export interface BenchOutput {
  /** Path of the JSON file, or `-` for stdout. */
  readonly json?: string;
}

export interface HumanEvalFixOptions extends BenchOutput {
  readonly visible: 'example' | 'full';
  readonly mode: 'in-process' | 'repository';
  readonly budget: string;
  readonly jobs: string;
  readonly only?: string;
  readonly part?: 'tuning' | 'reporting';
  readonly minConfidence?: string;
  readonly keep?: string;
}

/** `ralph bench humanevalfix FILE`; exit 0 if it was not interrupted, however many bugs were repaired. */
export async function humanEvalFixCommand(file: string, options: HumanEvalFixOptions): Promise<void> {
  const { visible, mode, keep, only, part, minConfidence } = options;
  const request = {
    file,
    visible,
    mode,
    budgetMs: parseSeconds('--budget', options.budget) * 1000,
    jobs: parseWholeNumber('--jobs', options.jobs, MAX_JOBS),
    keep: keep === undefined ? undefined : resolve(keep),
    only: only === undefined ? undefined : splitList(only),
    part,
    minConfidence: minConfidence === undefined ? undefined : parseShare('--min-confidence', minConfidence),
  };
  await runBench(options, async (say, signal) => {
    const report = await benchHumanEvalFix({
      ...request,
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

/** `ralph bench commits [REPOSITORY] [COMMIT…]`; exit 0 if it was not interrupted, however many bugs were repaired. */
export async function commitsCommand(
  repository: string | undefined,
  commits: readonly string[],
  { from, clones, budget, ...output }: CommitsOptions,
): Promise<void> {
  const budgetMs = parseSeconds('--budget', budget) * 1000;
  const targets = { repository, commits, from, clones };
  await runBench(output, async (say, signal) => {
    const onResult = (result: Parameters<typeof renderCommit>[0]): void => say(renderCommit(result));
    const report = await benchCommits({ ...targets, budgetMs, signal, onResult });
    return { report, lines: renderCommitsReport(report) };
  });
}

type Say = (line: string) => void;

interface BenchResult {
  readonly report: unknown;
  /** The report as a table. */
  readonly lines: readonly string[];
}

/** Runs a benchmark, prints its table and writes its JSON. The first Ctrl-C ends it with the results so far. */
async function runBench(
  { json }: BenchOutput,
  bench: (say: Say, signal: AbortSignal) => Promise<BenchResult>,
): Promise<void> {
  // With --json - only JSON goes to stdout.
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

function parseSeconds(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value <= 86_400) return value;
  throw usageError(`${option} ${text}: it must be a number of seconds above 0, at most 86400.`);
}

function parseShare(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw usageError(`${option} ${text}: it must be a number from 0 to 1.`);
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
