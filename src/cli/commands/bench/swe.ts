import { benchSwe } from '../../../../bench/datasets/swe/index.ts';
import { readInstances } from '../../../../bench/datasets/swe/instance.ts';
import { judgeTree } from '../../../../bench/datasets/swe/judge-tree.ts';
import { renderReport, renderResult } from '../../../../bench/datasets/swe/report.ts';
import { ExitCode, usageError } from '../../../errors.ts';
import { listenForInterrupts } from '../../interrupt.ts';
import { parseWholeNumber } from '../../values.ts';
import { runBench, type BenchOutput } from './output.ts';
import { parseDollars, parseJobs, parseSeconds, splitList } from './values.ts';

export interface SweOptions extends BenchOutput {
  readonly clones: string;
  readonly tests: 'hidden' | 'holdout' | 'visible';
  readonly install: string;
  readonly budget: string;
  readonly jobs: string;
  readonly limit?: string;
  readonly only?: string;
  readonly results?: string;
  readonly predictions?: string;
  readonly totalCost?: string;
}

/** `ralph bench swe FILE [-- FLAGS]`; exit 0 if it was not interrupted, however many instances are resolved. */
export async function sweCommand(file: string, flags: readonly string[], options: SweOptions): Promise<void> {
  const { clones, tests, install, results, predictions, limit, only, totalCost } = options;
  const request = {
    ...{ file, flags, clones, tests, install, results, predictions },
    budgetMs: parseSeconds('--budget', options.budget) * 1000,
    jobs: parseJobs(options.jobs),
    limit: limit === undefined ? undefined : parseWholeNumber('--limit', limit),
    only: only === undefined ? undefined : splitList(only),
    maxCostUsd: totalCost === undefined ? undefined : parseDollars('--total-cost', totalCost),
  };
  await runBench(options, async (say, signal) => {
    const report = await benchSwe({ ...request, signal, onResult: (result) => say(renderResult(result)) });
    return { report, lines: renderReport(report) };
  });
}

/** `ralph bench swe-judge FILE`; exit 0 if the tree of the working folder resolves the instance, else 1. */
export async function sweJudgeCommand(file: string, { only }: { readonly only?: string }): Promise<void> {
  const instances = await readInstances(file);
  const instance =
    only === undefined && instances.length === 1 ? instances[0] : instances.find(({ id }) => id === only);
  if (instance === undefined)
    throw usageError(
      only === undefined
        ? `${file} has ${instances.length} instances.`
        : `--only ${only}: the file has no such instance_id.`,
      'Name one with --only ID.',
    );
  const interruption = listenForInterrupts(() => {}, 1);
  try {
    const { resolved, reason } = await judgeTree(process.cwd(), instance, interruption.signal);
    process.stdout.write(`${instance.id}: ${resolved ? 'resolved' : `not resolved. ${reason}`}\n`);
    process.exitCode = interruption.signal.aborted
      ? interruption.exitCode()
      : resolved
        ? ExitCode.verified
        : ExitCode.unverified;
  } finally {
    interruption.close();
  }
}
