import type { Evaluation, TestCase } from '../../schema/generated.ts';
import { CHANCE, TIMEOUT, WEAK } from '../../proof/surroundings/told.ts';
import { describeRead, RACE, type AddedRead } from './added-reads.ts';

/** A test that fails in one of three runs is seen to fail in 7 of 10 cases, beside the run before. */
const RUNS_OF_CHANGE = 3;
/** Runs of the start: a test that fails as often there by itself passes them all in 1 of 8 cases. */
const RUNS_OF_START = 5;

/** Names of reads whose result differs from run to run on one machine. */
const RESTLESS = new Set([
  ...[CHANCE, RACE, TIMEOUT, WEAK, 'the clock'],
  ...['process.hrtime', 'process.pid', 'process.uptime', 'process.cpuUsage', 'process.memoryUsage'],
]);

interface Passed {
  readonly baseline: Evaluation;
  /** The evaluation of a tree that passes. */
  readonly evaluation: Evaluation;
  /** New reads of the change. */
  readonly reads: readonly AddedRead[];
  /** Evaluates the tree, or the base, once more. */
  readonly again: (which: 'change' | 'start') => Promise<Evaluation>;
}

/**
 * A sentence on a test that failed in one run of a tree that passes, never at the start, where the change newly reads what is
 * another in each run; undefined if there is none. Without such a read nothing runs again: a test that chance decided before is
 * nobody's fault.
 */
export async function newlyByChance({
  baseline,
  evaluation,
  reads,
  again,
}: Passed): Promise<string | undefined> {
  const restless = reads.filter(({ what }) => RESTLESS.has(what));
  if (restless.length === 0) return undefined;
  const steady = new Set(baseline.tests.filter(isPassed).map(({ id }) => id));
  let failing = evaluation.tests.filter(({ id, flaky }) => flaky === true && steady.has(id));
  // A time that is only stored or shown is no reason to run everything again.
  const mayDecide = restless.some(({ what, use }) => what === CHANCE || what === RACE || use !== 'value');
  for (let run = 0; mayDecide && failing.length === 0 && run < RUNS_OF_CHANGE; run++)
    failing = (await again('change')).tests.filter(({ id, status }) => status === 'failed' && steady.has(id));
  for (let run = 0; failing.length > 0 && run < RUNS_OF_START; run++) {
    const passed = new Set((await again('start')).tests.filter(isPassed).map(({ id }) => id));
    failing = failing.filter(({ id }) => passed.has(id));
  }
  const [first] = failing;
  if (first === undefined) return undefined;
  const more = failing.length > 1 ? ` and ${failing.length - 1} more` : '';
  return `Test "${first.name}"${more} passed and failed in runs of these very files, and passed in each of ${RUNS_OF_START + 1} runs of the start. The change newly reads what is another in each run: ${describeRead(restless[0]!)}. Let the result not depend on it.`;
}

function isPassed({ status, flaky }: TestCase): boolean {
  return status === 'passed' && flaky !== true;
}
