import type { TracedRun } from '../localise/trace-tests.ts';
import { runInstrumented, type TrialTarget } from './instrumented-run.ts';

const BUDGET_MS = 30_000;

/**
 * Runs every test of the file once while the sources have the given instrumented texts, and reports the statements
 * that each test reached. Undefined if the test file cannot be instrumented.
 */
export async function runTraced(
  target: TrialTarget,
  texts: ReadonlyMap<string, string>,
): Promise<TracedRun | undefined> {
  const run = await runInstrumented({ ...target, only: undefined }, texts, {
    mode: 'trace',
    ids: [],
    careful: [],
    shards: 1,
    minCandidateMs: 0,
    testBudgetMs: 0,
    processBudgetMs: BUDGET_MS,
  });
  if (run === undefined) return undefined;
  const records = run.processes.flat();
  const loading = records.flatMap((record) => (record.type === 'loading' ? record.hits : []));
  const tests = records.flatMap((record) =>
    record.type === 'test' && record.hits !== undefined ? [{ passed: record.passed, hits: record.hits }] : [],
  );
  return { tests, loading, report: run.report };
}
