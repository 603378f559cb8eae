import { STABILITY } from '../../proof/verify/index.ts';
import type { Evaluation } from '../../schema/generated.ts';

/** A test that passes every second time is found in 7 of 8 cases. */
const RUNS = 3;

interface Refused {
  readonly baseline: Evaluation;
  readonly evaluation: Evaluation;
  /** Evaluates the base once more. */
  readonly again: () => Promise<Evaluation>;
}

/**
 * Ids of tests that were red at the start and pass now, and pass in a further run of the base as well, where a tree is refused for such tests
 * alone: nobody has to prove what only chance has changed. None where nothing is refused.
 */
export async function redByChance({ baseline, evaluation, again }: Refused): Promise<readonly string[]> {
  if (!isDoubted(evaluation)) return [];
  const passing = idsOf(evaluation, 'passed');
  const turned = [...idsOf(baseline, 'failed')].filter((id) => passing.has(id));
  const found = new Set<string>();
  for (let run = 0; run < RUNS && found.size < turned.length; run++) {
    const passed = idsOf(await again(), 'passed');
    for (const id of turned) if (passed.has(id)) found.add(id);
  }
  return [...found];
}

/** Whether what is held against a tree is only how tests turned green: one that cannot fail, or does not pass each time. */
function isDoubted({ passed, tampering = [], checks }: Evaluation): boolean {
  if (passed || !tampering.every(({ kind }) => kind === 'canary_passed')) return false;
  return tampering.length > 0 || checks.some(({ name, status }) => name === STABILITY && status === 'fail');
}

function idsOf({ tests }: Evaluation, status: 'passed' | 'failed'): Set<string> {
  return new Set(tests.filter((test) => test.status === status).map(({ id }) => id));
}
