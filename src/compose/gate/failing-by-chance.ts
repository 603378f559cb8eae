import { isByChance } from '../../checks/flaky.ts';
import { isUnconfirmed } from '../../proof/run-test-command.ts';
import type { Evaluation, TestCase } from '../../schema/generated.ts';

/** A test that fails every third time is found in 7 of 8 cases. */
const RUNS = 5;
/** Where any test may be the one: one that fails every second time is found in 7 of 8 cases. */
const RUNS_FOR_ANY = 3;

interface Refused {
  readonly baseline: Evaluation;
  readonly evaluation: Evaluation;
  /** Evaluates the base once more. */
  readonly again: () => Promise<Evaluation>;
}

/**
 * The baseline with the tests as failed that passed at the start, pass and fail in runs of the tree, and fail in a further run
 * of the base as well: nobody broke them. Undefined if there is none. The base runs again only where chance was seen in the tree,
 * or where green checks are not confirmed by the test command, which does not say what failed.
 */
export async function withFailingByChance({
  baseline,
  evaluation,
  again,
}: Refused): Promise<{ readonly baseline: Evaluation; readonly ids: readonly string[] } | undefined> {
  const isAny = evaluation.diagnostics.some(isUnconfirmed);
  const doubted = doubtedTests(baseline, evaluation, isAny);
  const [runs, wanted] = isAny ? [RUNS_FOR_ANY, 1] : [RUNS, doubted.size];
  const found = new Map<string, Evaluation>();
  for (let run = 0; run < runs && found.size < Math.min(wanted, doubted.size); run++) {
    const one = await again();
    const failed = one.tests.filter(({ status }) => status === 'failed').map(({ id }) => id);
    for (const id of failed) if (doubted.has(id)) found.set(id, one);
  }
  return found.size === 0 ? undefined : { baseline: withFailed(baseline, found), ids: [...found.keys()] };
}

function doubtedTests(
  baseline: Evaluation,
  { diagnostics }: Evaluation,
  isAny: boolean,
): ReadonlySet<string> {
  const green = new Set(baseline.tests.filter(isPassed).map(({ id }) => id));
  if (isAny) return green;
  return new Set(
    diagnostics.flatMap((it) =>
      it.test_id !== undefined && green.has(it.test_id) && isByChance(it) ? [it.test_id] : [],
    ),
  );
}

/** An evaluation in which each of the tests has the result that it has in the other one. */
function withFailed(evaluation: Evaluation, others: ReadonlyMap<string, Evaluation>): Evaluation {
  const added = [...others].flatMap(([id, { diagnostics }]) =>
    diagnostics.filter(({ test_id: of }) => of === id),
  );
  const red = new Set(added.map(({ check }) => check));
  return {
    ...evaluation,
    passed: false,
    tests: evaluation.tests.map((test) =>
      others.has(test.id) ? others.get(test.id)!.tests.find(({ id }) => id === test.id)! : test,
    ),
    diagnostics: [...evaluation.diagnostics, ...added],
    checks: evaluation.checks.map((check) =>
      red.has(check.name) && check.status === 'pass'
        ? (others
            .values()
            .next()
            .value!.checks.find(({ name }) => name === check.name) ?? check)
        : check,
    ),
  };
}

function isPassed({ status }: TestCase): boolean {
  return status === 'passed';
}
