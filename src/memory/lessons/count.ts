import { plural } from '../../platform/text/plural.ts';
import type { Lesson } from '../../schema/generated.ts';
import { archive } from './admit.ts';
import type { LessonBook } from './book.ts';
import type { LessonOutcome } from './contract.ts';
import { isRefutedAtOnce } from './effects.ts';
import { inStatus, isGivenUp, isStanding } from './standing.ts';

/** Attempts that a lesson remembers to count each once. */
const MOST_COUNTED = 20;

/**
 * Counts effects on lessons, each attempt once per lesson. A supported staged lesson is confirmed. An unpinned
 * lesson is archived with three more contradictions than supports, or with the first one if it states something without
 * exception.
 */
export function countAll(book: LessonBook, outcomes: readonly LessonOutcome[]): void {
  for (const outcome of outcomes) {
    const lesson = book.get(outcome.lessonId);
    const attempt = `${outcome.loopId}#${outcome.iteration}`;
    if (lesson === undefined || (lesson.counted ?? []).includes(attempt)) continue;
    const { effect } = outcome;
    if (effect === 'settled') settle(book, lesson, outcome);
    else countOne(book, lesson, { ...outcome, effect, attempt });
  }
}

/** Archives a lesson that stays true, but has nothing more to say: what it is about is mended. */
function settle(book: LessonBook, lesson: Lesson, { loopId, iteration }: LessonOutcome): void {
  if (!isStanding(lesson) || lesson.pinned) return;
  const where = `${loopId} attempt ${iteration + 1}`;
  archive(
    book,
    lesson,
    `${where} fixed what it names by another edit of ${lesson.claim?.file ?? 'the file'}.`,
  );
}

function countOne(
  book: LessonBook,
  lesson: Lesson,
  {
    effect,
    loopId,
    iteration,
    attempt,
  }: LessonOutcome & { readonly effect: 'support' | 'contradiction'; readonly attempt: string },
): void {
  const counted = book.put({
    ...lesson,
    [effect]: lesson[effect] + 1,
    counted: [...(lesson.counted ?? []), attempt].slice(-MOST_COUNTED),
  });
  const where = `${loopId} attempt ${iteration + 1}`;
  const effectText =
    effect === 'support' ? 'its test of truth confirmed it.' : 'its test of truth refuted it.';
  book.note(effect, counted, `${where}: ${effectText}`);
  if (effect === 'support' && counted.status === 'staged') {
    book.note('confirmed', book.put(inStatus(counted, 'active')), `${where} confirmed it.`);
  }
  if (!isStanding(counted) || counted.pinned) return;
  if (effect === 'contradiction' && isRefutedAtOnce(counted)) archive(book, counted, `${where} refuted it.`);
  else if (isGivenUp(counted))
    archive(
      book,
      counted,
      `It was contradicted ${plural(counted.contradiction, 'time')} and supported ${plural(counted.support, 'time')}.`,
    );
}
