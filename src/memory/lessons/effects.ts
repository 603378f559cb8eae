import type { AttemptOutcome } from '../../ports.ts';
import type { Evaluation, Lesson } from '../../schema/generated.ts';
import type { LessonOutcome } from './contract.ts';

/**
 * The effects of an attempt on the lessons that it was shown. A lesson about failures that the attempt started from:
 * support where one of them is gone and the reward is higher, contradiction where one is still there. Any other lesson,
 * if it is about files that the attempt changed: support where the result is better, contradiction where it is worse or
 * has new failures. Lessons about neither get no effect.
 */
export function effectsOf(outcome: AttemptOutcome, shown: readonly Lesson[]): LessonOutcome[] {
  return shown.flatMap((lesson) => {
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
  const isBetter = evaluation.reward > previous.reward || (evaluation.passed && !previous.passed);
  const failures = lesson.fingerprints.filter((fingerprint) => before.has(fingerprint));
  if (failures.length > 0) {
    const { same } = evaluation.delta;
    // `delta.same` keeps the former fingerprint of a test that fails with another message.
    const remains = (fingerprint: string): boolean => after.has(fingerprint) || same.includes(fingerprint);
    if (failures.some((fingerprint) => !remains(fingerprint)) && isBetter) return 'support';
    return failures.some(remains) ? 'contradiction' : undefined;
  }
  const changed = new Set(changes.files.map(({ path }) => path));
  if (!lesson.files.some((file) => changed.has(file))) return undefined;
  if (isBetter) return 'support';
  const isWorse = evaluation.reward < previous.reward || evaluation.delta.new.length > 0;
  return isWorse ? 'contradiction' : undefined;
}

function failuresOf({ diagnostics }: Evaluation): Set<string> {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return new Set(errors.map(({ fingerprint }) => fingerprint));
}
