import type { Lesson } from '../../../schema/generated.ts';
import type { LessonCandidate } from '../../lessons/contract.ts';
import { wordsOf } from '../common/words.ts';

/** Stored lessons that a validation is shown, pinned ones not counted. */
export const MOST_RELATED = 20;

/** The pinned lessons, and behind them those that have most in common with the drafts, at most `most`. */
export function relatedLessons(
  lessons: readonly Lesson[],
  drafts: readonly LessonCandidate[],
  most: number = MOST_RELATED,
): Lesson[] {
  const words = wordsOf(drafts.map(({ text }) => text).join(' '));
  const files = new Set(drafts.flatMap((draft) => draft.files ?? []));
  const fingerprints = new Set(drafts.flatMap((draft) => draft.fingerprints ?? []));
  const closeness = (lesson: Lesson): number =>
    [...wordsOf(lesson.text)].filter((word) => words.has(word)).length +
    3 * lesson.files.filter((file) => files.has(file)).length +
    5 * lesson.fingerprints.filter((one) => fingerprints.has(one)).length +
    (drafts.some(({ type }) => type === lesson.type) ? 0.5 : 0);
  const related = lessons
    .filter(({ pinned }) => !pinned)
    .map((lesson, index) => ({ lesson, index, closeness: closeness(lesson) }))
    .sort((a, b) => b.closeness - a.closeness || a.index - b.index)
    .slice(0, most);
  return [...lessons.filter(({ pinned }) => pinned), ...related.map(({ lesson }) => lesson)];
}
