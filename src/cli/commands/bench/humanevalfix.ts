import { resolve } from 'node:path';
import { benchHumanEvalFix } from '../../../../bench/datasets/humanevalfix/index.ts';
import { renderReport, renderResult } from '../../../../bench/datasets/humanevalfix/report.ts';
import { runBench, type BenchOutput } from './output.ts';
import { parseJobs, parseSeconds, parseShare, splitList } from './values.ts';

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
    jobs: parseJobs(options.jobs),
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
