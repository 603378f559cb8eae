import type { Lesson } from '../../schema/generated.ts';
import { archive } from './admit.ts';
import type { LessonBook } from './book.ts';
import type { LessonOutcome } from './contract.ts';
import { inStatus, isGivenUp, isStanding } from './standing.ts';

const MOST_COUNTED = 20;

/**
 * Counts what the evaluator saw of lessons, each attempt once. A staged lesson that was borne out is confirmed; one
 * that was contradicted three times more often than borne out is archived, unless it is pinned.
 */
export function countAll(book: LessonBook, outcomes: readonly LessonOutcome[]): void {
  for (const outcome of outcomes) {
    const lesson = book.get(outcome.lessonId);
    const attempt = `${outcome.loopId}#${outcome.iteration}`;
    if (lesson === undefined || (lesson.counted ?? []).includes(attempt)) continue;
    countOne(book, lesson, { ...outcome, attempt });
  }
}

function countOne(
  book: LessonBook,
  lesson: Lesson,
  { effect, loopId, iteration, attempt }: LessonOutcome & { readonly attempt: string },
): void {
  const counted = book.put({
    ...lesson,
    [effect]: lesson[effect] + 1,
    counted: [...(lesson.counted ?? []), attempt].slice(-MOST_COUNTED),
  });
  const where = `${loopId} attempt ${iteration + 1}`;
  const seen = effect === 'support' ? 'what it is about is mended.' : 'the same failed again.';
  book.note(effect, counted, `${where}: ${seen}`);
  if (effect === 'support' && counted.status === 'staged') {
    book.note('confirmed', book.put(inStatus(counted, 'active')), `${where} was told of it, and did better.`);
  }
  if (isStanding(counted) && !counted.pinned && isGivenUp(counted))
    archive(
      book,
      counted,
      `It was contradicted ${counted.contradiction} times and borne out ${counted.support} times.`,
    );
}
