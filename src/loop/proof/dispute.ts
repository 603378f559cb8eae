import type { Criterion, Evaluation } from '../../schema/generated.ts';
import type { ActedStep } from '../act.ts';
import { testsNamed } from './criteria.ts';

/** A line by which an actor says that a test is wrong: `TEST WRONG: <test>: <reason>`. */
const LINE = /^\s*TEST WRONG:\s*(.+)$/gm;
const MAX_REASON = 2000;

interface Disputed {
  readonly evaluation: Evaluation;
  readonly acted: Pick<ActedStep, 'trajectory' | 'tampering'>;
  /** Test files that were written for the task. */
  readonly files: readonly string[];
}

/**
 * The criteria with the actor's reasons, if everything is green except written tests that the actor holds for wrong.
 * Otherwise undefined. A test that the repository had before cannot be disputed.
 */
export function disputedCriteria(
  criteria: readonly Criterion[],
  { evaluation, acted, files }: Disputed,
): Criterion[] | undefined {
  const { trajectory, tampering } = acted;
  const lines = [...`${trajectory.message}\n${trajectory.rationale}`.matchAll(LINE)].map(([, text]) =>
    text!.trim(),
  );
  if (lines.length === 0 || tampering.length > 0 || evaluation.tampering !== undefined) return undefined;
  const failing = evaluation.tests.filter(({ status }) => status === 'failed');
  const areWritten = failing.every(({ file }) => file !== undefined && files.includes(file));
  const others = evaluation.checks.filter(
    ({ kind, status }) => kind !== 'tests' && status !== 'pass' && status !== 'skip',
  );
  if (failing.length === 0 || !areWritten || others.length > 0 || evaluation.missing_tests.length > 0)
    return undefined;
  const named = criteria.map((criterion) => {
    if (criterion.source !== 'written' || criterion.green_after) return criterion;
    const tests = criterion.tests.flatMap((entry) => testsNamed(entry, evaluation.tests));
    const reason = lines.find((line) => tests.some(({ name }) => line.includes(name.split(' > ').at(-1)!)));
    return reason === undefined ? criterion : { ...criterion, disputed: reason.slice(0, MAX_REASON) };
  });
  const isSettled = named.every(
    ({ red_before: red, green_after: green, disputed }) => !red || green || disputed !== undefined,
  );
  return isSettled && named.some(({ disputed }) => disputed !== undefined) ? named : undefined;
}
