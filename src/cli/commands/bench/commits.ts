import { benchCommits } from '../../../../bench/datasets/commits/index.ts';
import { renderCommit, renderCommitsReport } from '../../../../bench/datasets/commits/report.ts';
import { runBench, type BenchOutput } from './output.ts';
import { parseSeconds } from './values.ts';

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
