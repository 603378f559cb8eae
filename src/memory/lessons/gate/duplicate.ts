import type { Lesson } from '../../../schema/generated.ts';
import type { LessonCandidate } from '../contract.ts';
import { isStanding } from '../standing.ts';
import { isForgotten } from '../status-reasons.ts';
import {
  hardWordsOf,
  isSameRow,
  lessonId,
  normalStatement,
  overlap,
  quotesTheSame,
  wordsOf,
} from '../statement.ts';

/** Share of words (Jaccard) from which two statements with the same numbers, paths, denials and quotes are one. */
const SAME_FROM = 0.8;
const MAX = { evidence: 20, files: 50, fingerprints: 50 } as const;

/**
 * The stored lesson that a candidate says again, whatever type it was taken for: the same statement, also where it does
 * not stand any more, else one that stands (staged or active) and says it in nearly the same words. Undefined: it is
 * new.
 */
export function findDuplicate(candidate: LessonCandidate, stored: readonly Lesson[]): Lesson | undefined {
  const [id, statement] = [lessonId(candidate), normalStatement(candidate.text)];
  const said = stored.filter(
    (lesson) => lesson.subject === candidate.subject && normalStatement(lesson.text) === statement,
  );
  const same = said.find(isStanding) ?? said.find((lesson) => lesson.id === id) ?? said.find(isForgotten);
  if (same !== undefined) return same;
  const words = wordsOf(candidate.text);
  const [all, hard] = [new Set(words), hardWordsOf(words)];
  let best: { lesson: Lesson; share: number } | undefined;
  for (const lesson of stored) {
    if (lesson.subject !== candidate.subject || !isStanding(lesson)) continue;
    const others = wordsOf(lesson.text);
    const share = overlap(all, new Set(others));
    if (share < SAME_FROM || share <= (best?.share ?? 0)) continue;
    if (!isSameRow(hard, hardWordsOf(others)) || !quotesTheSame(candidate.text, lesson.text)) continue;
    best = { lesson, share };
  }
  return best?.lesson;
}

/** The lesson with the higher of both confidences and importances, and with what either rests on and is about. */
export function strengthened(lesson: Lesson, candidate: LessonCandidate): Lesson {
  const quotes = new Set(lesson.evidence.map(({ quote }) => quote));
  const more = candidate.evidence.filter(({ quote }) => !quotes.has(quote));
  return {
    ...lesson,
    confidence: Math.max(lesson.confidence, candidate.confidence),
    importance: Math.max(lesson.importance, candidate.importance),
    evidence: [...lesson.evidence, ...more].slice(0, MAX.evidence),
    files: [...new Set([...lesson.files, ...(candidate.files ?? [])])].slice(0, MAX.files),
    fingerprints: [...new Set([...lesson.fingerprints, ...(candidate.fingerprints ?? [])])].slice(
      0,
      MAX.fingerprints,
    ),
  };
}
