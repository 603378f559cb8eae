import { AXES, armsOf, parseArm, type Axis } from '../../../../bench/datasets/ablate/arms.ts';
import { benchAblate } from '../../../../bench/datasets/ablate/index.ts';
import { renderReport, renderResult } from '../../../../bench/datasets/ablate/report.ts';
import { usageError } from '../../../errors.ts';
import { parseChoice, parseWholeNumber } from '../../values.ts';
import { runBench, type BenchOutput } from './output.ts';
import { parseDollars, parseJobs, parseSeconds, splitList } from './values.ts';

export interface AblateOptions extends BenchOutput {
  readonly axes: string;
  readonly arm: readonly string[];
  readonly visible: 'example' | 'full';
  readonly budget: string;
  readonly totalCost?: string;
  readonly jobs: string;
  readonly limit?: string;
  readonly only?: string;
  readonly results?: string;
  readonly html?: string;
}

/** `ralph bench ablate FILE [-- FLAGS]`; exit 0 if it was not interrupted, whatever the figures. */
export async function ablateCommand(
  file: string,
  common: readonly string[],
  options: AblateOptions,
): Promise<void> {
  const { visible, results, html, limit, only, totalCost } = options;
  const names = Object.keys(AXES) as Axis[];
  const axes = splitList(options.axes).map((axis) => parseChoice('--axes', axis, names));
  const arms = armsOf(axes, options.arm.map(parseArm));
  if (arms.length === 0) throw usageError('There is no arm.', `Name axes (${names.join(', ')}) or an --arm.`);
  const request = {
    ...{ file, arms, common, visible, results, html },
    budgetMs: parseSeconds('--budget', options.budget) * 1000,
    jobs: parseJobs(options.jobs),
    limit: limit === undefined ? undefined : parseWholeNumber('--limit', limit),
    only: only === undefined ? undefined : splitList(only),
    totalUsd: totalCost === undefined ? undefined : parseDollars('--total-cost', totalCost),
  };
  await runBench(options, async (say, signal) => {
    const onResult = (result: Parameters<typeof renderResult>[0]): void => say(renderResult(result));
    const report = await benchAblate({ ...request, signal, onPlan: say, onResult });
    return { report, lines: renderReport(report) };
  });
}
