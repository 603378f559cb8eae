import { benchCollect, renderCommit, renderReport } from '../../../../bench/datasets/collect/index.ts';
import { SIZE_CLASSES } from '../../../../bench/datasets/size-class.ts';
import { parseChoice, parseWholeNumber } from '../../values.ts';
import { runBench, type BenchOutput } from './output.ts';
import { splitList } from './values.ts';

export interface CollectOptions extends BenchOutput {
  readonly out: string;
  readonly repo?: string;
  readonly most: string;
  readonly maxSources: string;
  readonly sizes?: string;
  readonly install: string;
}

/** `ralph bench collect REPOSITORY --out FILE`; exit 0 if it was not interrupted, however many instances it found. */
export async function collectCommand(repository: string, options: CollectOptions): Promise<void> {
  const { out, repo, sizes, install } = options;
  const request = {
    ...{ repository, out, repo, install },
    most: parseWholeNumber('--most', options.most),
    maxSources: parseWholeNumber('--max-sources', options.maxSources),
    sizes:
      sizes === undefined
        ? undefined
        : splitList(sizes).map((size) => parseChoice('--sizes', size, SIZE_CLASSES)),
  };
  await runBench(options, async (say, signal) => {
    const report = await benchCollect({
      ...request,
      signal,
      onCommit: (commit) => say(renderCommit(commit)),
    });
    return { report, lines: renderReport(report) };
  });
}
