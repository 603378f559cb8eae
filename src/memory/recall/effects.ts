import type { AttemptOutcome } from '../../ports.ts';
import type { Evaluation, Lesson } from '../../schema/generated.ts';
import type { LessonOutcome } from '../lessons/contract.ts';

/**
 * What an attempt shows of the lessons that it was told. One that is about failures that were there: support where one
 * of them is gone and the reward is up, contradiction where one is there again. Else, for one that is about files that
 * the attempt changed: support where the result is better, contradiction where it is worse or brought new failures. Of
 * others nothing can be said.
 */
export function effectsOf(outcome: AttemptOutcome, told: readonly Lesson[]): LessonOutcome[] {
  return told.flatMap((lesson) => {
    const effect = effectOn(lesson, outcome);
    const { loopId, iteration } = outcome;
    return effect === undefined ? [] : [{ lessonId: lesson.id, effect, loopId, iteration: iteration - 1 }];
  });
}

function effectOn(
  lesson: Lesson,
  { changes, evaluation, previous }: AttemptOutcome,
): LessonOutcome['effect'] | undefined {
  const [before, after] = [failuresOf(previous), failuresOf(evaluation)];
  const isUp = evaluation.reward > previous.reward || (evaluation.passed && !previous.passed);
  const about = lesson.fingerprints.filter((fingerprint) => before.has(fingerprint));
  if (about.length > 0) {
    const { same } = evaluation.delta;
    // A test that fails with other words is the same failure, and has another fingerprint.
    const isThere = (fingerprint: string): boolean => after.has(fingerprint) || same.includes(fingerprint);
    if (about.some((fingerprint) => !isThere(fingerprint)) && isUp) return 'support';
    return about.some(isThere) ? 'contradiction' : undefined;
  }
  const changed = new Set(changes.files.map(({ path }) => path));
  if (!lesson.files.some((file) => changed.has(file))) return undefined;
  if (isUp) return 'support';
  const isDown = evaluation.reward < previous.reward || evaluation.delta.new.length > 0;
  return isDown ? 'contradiction' : undefined;
}

function failuresOf({ diagnostics }: Evaluation): Set<string> {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return new Set(errors.map(({ fingerprint }) => fingerprint));
}
