import { usageError } from '../../errors.ts';
import type { Lesson, LessonStatus, LessonType } from '../../schema/generated.ts';
import { scoreRecords } from '../search/score.ts';
import { joinedTerms, phrasesOf } from '../text/full-text.ts';
import { isStanding } from '../lessons/standing.ts';
import { fileMatcher } from '../search/search.ts';

/** Conditions, all of which must hold; absent ones are ignored. */
export interface LessonQuery {
  /**
   * Each must occur in the text, files, quotes or type, with the rules for reflections: a word of three letters or more
   * also matches longer words that begin with it, and one such as `src/parse.ts` matches its parts in sequence. The parts
   * of a name such as `parseDate` match too.
   */
  readonly words?: string;
  readonly types?: readonly LessonType[];
  /** Default: staged and active. */
  readonly statuses?: readonly LessonStatus[];
  /** Glob; without a slash it is matched with the file's name. */
  readonly file?: string;
  /** Fingerprint of a failure that the lesson is about. */
  readonly fingerprint?: string;
  readonly limit?: number;
}

/** The position before a capital within a name. */
const CAPITAL_WITHIN = /(\p{Ll})(?=\p{Lu})/gu;

/**
 * Lessons that match a query: with words the best first (BM25), else and among equals in the given order. `lessons` must
 * be the whole store, of every status, since a word's weight depends on how rare it is there. Throws a usage RalphError
 * for words without a letter or digit.
 */
export function findLessons(lessons: readonly Lesson[], query: LessonQuery): Lesson[] {
  const scores = scoresBy(query.words ?? '', lessons);
  const holds = conditionsOf(query);
  return lessons
    .map((lesson, index) => ({ lesson, score: scores[index] }))
    .filter((match): match is { lesson: Lesson; score: number } => match.score !== undefined)
    .filter(({ lesson }) => holds(lesson))
    .sort((a, b) => b.score - a.score)
    .slice(0, query.limit)
    .map(({ lesson }) => lesson);
}

function scoresBy(words: string, lessons: readonly Lesson[]): (number | undefined)[] {
  const phrases = phrasesOf(words.split(/\s+/));
  if (phrases.length > 0) return scoreRecords(lessons.map(fieldsOf), phrases);
  if (words.trim() === '') return lessons.map(() => 0);
  throw usageError(
    `${JSON.stringify(words)} cannot be searched for: it has no letter and no digit.`,
    'Search for a word next to it.',
  );
}

function conditionsOf({ types, statuses, file, fingerprint }: LessonQuery): (lesson: Lesson) => boolean {
  const isFile = file === undefined ? undefined : fileMatcher(file);
  return (lesson) =>
    (types === undefined || types.includes(lesson.type)) &&
    (statuses === undefined ? isStanding(lesson) : statuses.includes(lesson.status)) &&
    (isFile === undefined || lesson.files.some(isFile)) &&
    (fingerprint === undefined || lesson.fingerprints.includes(fingerprint));
}

/** Terms in the positions of a reflection's fields, for their weights: files 2, quotes 2, text 3, type 1. */
function fieldsOf({ text, type, files, evidence }: Lesson): string[][] {
  const quotes = evidence.map(({ quote }) => quote);
  return [files, quotes, [], [text], [type]].map((texts) =>
    joinedTerms([...texts, ...texts.flatMap(partsOfNames)]),
  );
}

function partsOfNames(text: string): string[] {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((name) => name.replace(CAPITAL_WITHIN, '$1 '))
    .filter((parts) => parts.includes(' '));
}
