import { benchReflexion } from '../../../../bench/datasets/reflexion/index.ts';
import { renderReplay, renderReport } from '../../../../bench/datasets/reflexion/report.ts';
import { parseWholeNumber } from '../../values.ts';
import { runBench, type BenchOutput } from './output.ts';
import { parseJobs, splitList } from './values.ts';

export interface ReflexionOptions extends BenchOutput {
  readonly python: string;
  readonly jobs: string;
  readonly limit?: string;
  readonly only?: string;
  readonly results?: string;
}

/** `ralph bench reflexion LOG`; exit 0 if it was not interrupted, whatever the differences. */
export async function reflexionCommand(file: string, options: ReflexionOptions): Promise<void> {
  const { python, results, limit, only } = options;
  const request = {
    file,
    python,
    results,
    jobs: parseJobs(options.jobs),
    limit: limit === undefined ? undefined : parseWholeNumber('--limit', limit),
    only: only === undefined ? undefined : splitList(only),
  };
  await runBench(options, async (say, signal) => {
    const report = await benchReflexion({
      ...request,
      signal,
      onResult: (result) => say(renderReplay(result)),
    });
    return { report, lines: renderReport(report) };
  });
}
