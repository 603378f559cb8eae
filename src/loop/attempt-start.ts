import type { AttemptStart } from '../ports/attempt.ts';
import type { Attempt } from './attempt.ts';

type Origin = Pick<Attempt, 'iteration' | 'startedFrom' | 'changes'>;

/**
 * The attempts that are in the tree of attempt `from` (0: the base), and those that were rolled back. Undefined before
 * the first attempt. `attempts` are all earlier ones in their order; an attempt that changed nothing is never rolled back.
 */
export function attemptStart(attempts: readonly Origin[], from: number): AttemptStart | undefined {
  if (attempts.length === 0) return undefined;
  const kept = lineOf(attempts, from);
  const others = attempts.filter(
    ({ iteration, changes }) => !kept.includes(iteration) && changes.files.length > 0,
  );
  const rolledBack = others.map((attempt) => ({
    attempt: attempt.iteration,
    isAbsent: isAbsent(attempt, attempts, kept),
  }));
  const present = attempts.filter((one) => isPresent(one, attempts, kept));
  return { attempt: from, kept, present: present.map(({ iteration }) => iteration), rolledBack };
}

/** The attempt itself and those that its tree was built from, ascending. */
function lineOf(attempts: readonly Origin[], from: number): number[] {
  const line: number[] = [];
  for (let at = from; at > 0; at = attempts[at - 1]?.startedFrom ?? 0) line.unshift(at);
  return line;
}

/** True if the attempt is kept, changed something, and nothing changed its files since. */
function isPresent(
  { iteration, changes }: Origin,
  attempts: readonly Origin[],
  kept: readonly number[],
): boolean {
  const isUntouched = !isTouchedAfter(iteration, changes, attempts, kept);
  return kept.includes(iteration) && changes.files.length > 0 && isUntouched;
}

/** True if the attempt started on the way to the present tree and nothing changed its files since. */
function isAbsent(
  { startedFrom, changes }: Origin,
  attempts: readonly Origin[],
  kept: readonly number[],
): boolean {
  if (startedFrom !== 0 && !kept.includes(startedFrom)) return false;
  return !isTouchedAfter(startedFrom, changes, attempts, kept);
}

/** Whether a kept attempt after an iteration changed one of the files. */
function isTouchedAfter(
  after: number,
  { files }: Origin['changes'],
  attempts: readonly Origin[],
  kept: readonly number[],
): boolean {
  const paths = new Set(files.map(({ path }) => path));
  return attempts
    .filter(({ iteration }) => kept.includes(iteration) && iteration > after)
    .some((attempt) => attempt.changes.files.some(({ path }) => paths.has(path)));
}
