import type { Lesson } from '../../../schema/generated.ts';
import type { LessonCandidate } from '../contract.ts';
import { isStanding } from '../standing.ts';
import { isForgotten, isRested } from '../status-reasons.ts';
import { lessonId } from '../lesson-id.ts';
import { jaccard } from '../../text/likeness.ts';
import {
  decisiveWords,
  haveSameOrder,
  haveSameQuotes,
  normalStatement,
  statementWords,
} from '../../text/statement.ts';

/** Jaccard index of words from which statements with the same numbers, paths, negations and quotes are duplicates. */
const SAME_FROM = 0.8;
const MAX = { evidence: 20, files: 50, fingerprints: 50 } as const;

/**
 * The stored lesson of which a candidate is a duplicate, regardless of its type: the same statement in any status, else
 * the most similar staged or active lesson above the threshold. Undefined for a new statement.
 */
export function findDuplicate(candidate: LessonCandidate, stored: readonly Lesson[]): Lesson | undefined {
  const [id, statement] = [lessonId(candidate), normalStatement(candidate.text)];
  const equal = stored.filter(
    (lesson) => lesson.subject === candidate.subject && normalStatement(lesson.text) === statement,
  );
  const same =
    equal.find(isStanding) ??
    equal.find((lesson) => lesson.id === id) ??
    equal.find((lesson) => isForgotten(lesson) || isRested(lesson));
  if (same !== undefined) return same;
  const words = statementWords(candidate.text);
  const [all, decisive] = [new Set(words), decisiveWords(words)];
  let best: { lesson: Lesson; similarity: number } | undefined;
  for (const lesson of stored) {
    if (lesson.subject !== candidate.subject || !isStanding(lesson)) continue;
    const others = statementWords(lesson.text);
    const similarity = jaccard(all, new Set(others));
    if (similarity < SAME_FROM || similarity <= (best?.similarity ?? 0)) continue;
    if (!haveSameOrder(decisive, decisiveWords(others))) continue;
    if (!haveSameQuotes(candidate.text, lesson.text)) continue;
    best = { lesson, similarity };
  }
  return best?.lesson;
}

/** The lesson with the higher confidence and importance of both, and with the evidence, files and failures of both. */
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
