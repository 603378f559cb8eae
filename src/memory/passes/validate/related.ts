import type { Lesson } from '../../../schema/generated.ts';
import type { LessonCandidate } from '../../lessons/contract.ts';
import { distinctWords } from '../../text/likeness.ts';

/** Unpinned stored lessons that a validator is shown. */
const MOST_RELATED = 20;
const WEIGHTS = { word: 1, file: 3, fingerprint: 5, type: 0.5 } as const;

/** All pinned lessons, followed by at most `most` others, the most related to the drafts first. */
export function relatedLessons(
  lessons: readonly Lesson[],
  drafts: readonly LessonCandidate[],
  most: number = MOST_RELATED,
): Lesson[] {
  const words = distinctWords(drafts.map(({ text }) => text).join(' '));
  const files = new Set(drafts.flatMap((draft) => draft.files ?? []));
  const fingerprints = new Set(drafts.flatMap((draft) => draft.fingerprints ?? []));
  const relatedness = (lesson: Lesson): number =>
    WEIGHTS.word * [...distinctWords(lesson.text)].filter((word) => words.has(word)).length +
    WEIGHTS.file * lesson.files.filter((file) => files.has(file)).length +
    WEIGHTS.fingerprint * lesson.fingerprints.filter((one) => fingerprints.has(one)).length +
    (drafts.some(({ type }) => type === lesson.type) ? WEIGHTS.type : 0);
  const related = lessons
    .filter(({ pinned }) => !pinned)
    .map((lesson, index) => ({ lesson, index, relatedness: relatedness(lesson) }))
    .sort((a, b) => b.relatedness - a.relatedness || a.index - b.index)
    .slice(0, most);
  return [...lessons.filter(({ pinned }) => pinned), ...related.map(({ lesson }) => lesson)];
}
