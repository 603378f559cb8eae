import type { Criterion } from '../../schema/generated.ts';
import { evaluateUntouched } from '../evaluate.ts';
import type { LoopRun } from '../loop-run.ts';
import { isProof, type DecidableCriterion } from './criteria.ts';

/** A run that takes longer is cut off, and then says nothing. */
const MAX_MS = 60_000;
const SLACK_MS = 5000;
/** Runs of one criterion: all of them while they are quick, else one. */
const RUNS = 3;

/** What the second run on the untouched tree showed. */
interface UntouchedRun {
  /** Ids of the criteria that were green. */
  readonly flaky: readonly string[];
  /** Ids of the tests that failed. */
  readonly failed: readonly string[];
}

/**
 * Runs what proves a result again on the untouched tree. A criterion that is green there was red by chance or by a
 * disturbance, so it proves nothing: it is returned as flaky. The loop notes which tests failed. `criteria`: as decided, in
 * the loop's order.
 */
export async function redAgain(
  loop: LoopRun,
  iteration: number,
  criteria: readonly Criterion[],
): Promise<readonly Criterion[]> {
  const { emit, store } = loop.ports;
  const tried = loop.proofBase.criteria.filter(
    ({ checks }, index) => checks.length > 0 && isProof(criteria[index]!),
  );
  if (tried.length === 0) return criteria;
  emit({ type: 'progress', text: 'checking the untouched tree again' });
  // A journal of an earlier version has the flaky ones alone.
  const stored = await store.step<UntouchedRun | readonly string[]>(`${iteration}:red-again`, async () => {
    await loop.moveToForChecks(loop.ports.workspace.base);
    const [flaky, failed]: [string[], string[]] = [[], []];
    for (const one of tried) if (await isGreenOnce(loop, one, failed)) flaky.push(one.criterion.id);
    loop.throwIfOver('the second run on the untouched tree');
    return { flaky, failed };
  });
  const { flaky, failed } = 'flaky' in stored ? stored : { flaky: stored, failed: [] };
  loop.redAgain.set(iteration, new Set(failed));
  return criteria.map((one) => (flaky.includes(one.id) ? { ...one, red_before: false, flaky: true } : one));
}

/** A check that could not run says nothing, so the criterion stays as it was. `failed` gets the tests that failed. */
async function isGreenOnce(
  loop: LoopRun,
  { checks, files }: DecidableCriterion,
  failed: string[],
): Promise<boolean> {
  const { baseline, ports, signal } = loop;
  const selected = files.length === 0 ? {} : { files };
  for (const name of checks) {
    const before = baseline.checks.find((check) => check.name === name);
    const timeoutMs = Math.min(MAX_MS, SLACK_MS + 2 * (before?.duration_ms ?? 0));
    const { status, tests } = await ports.bench.run(name, { ...selected, times: RUNS, timeoutMs, signal });
    failed.push(...tests.filter((test) => test.status === 'failed').map(({ id }) => id));
    if (status !== 'pass' && status !== 'skip') return false;
    // The rest of the test command was red, which no check runs.
    if (before?.status === 'fail' && before.kind === 'tests' && before.failed === 0 && before.total > 0)
      return (await evaluateUntouched(loop)).passed;
  }
  return true;
}
