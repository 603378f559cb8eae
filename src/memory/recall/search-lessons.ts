import { usageError } from '../../errors.ts';
import type { Lesson, LessonStatus, LessonType } from '../../schema/generated.ts';
import { scoresOf } from '../search/score.ts';
import { phrasesOf, termsOfTexts } from '../search/terms.ts';
import { isStanding } from '../lessons/standing.ts';
import { fileMatcher } from '../search/search.ts';

/** Conditions that must all hold; an absent one holds. */
export interface LessonQuery {
  /**
   * Each must occur in the text, the files, the quotes or the type, as for reflections: a word of three letters or more
   * also finds longer ones that begin with it, and one such as `src/parse.ts` its parts in a row. Of a name like
   * `parseDate` the parts are found as well.
   */
  readonly words?: string;
  readonly types?: readonly LessonType[];
  /** Default: those that stand. */
  readonly statuses?: readonly LessonStatus[];
  /** Glob; without a slash it is matched with the file's name. */
  readonly file?: string;
  /** Of a failure that it is about. */
  readonly fingerprint?: string;
  readonly limit?: number;
}

/** Where a capital begins a new word within a name. */
const CAPITAL_WITHIN = /(\p{Ll})(?=\p{Lu})/gu;

/**
 * Lessons that meet a query: with words the best first (BM25), and in the order that they were given in among equals
 * and without words. Whoever asks, a program or a person, is given the same: `lessons` are all that the store has,
 * whatever their status, since a word's weight rests on how rare it is there. Throws a usage RalphError for words that
 * nothing can be found by.
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
  if (phrases.length > 0) return scoresOf(lessons.map(fieldsOf), phrases);
  if (words.trim() === '') return lessons.map(() => 0);
  throw usageError(
    `${JSON.stringify(words)} cannot be searched for: there is no letter and no digit in it.`,
    'Give a word that stands beside it.',
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

/** In the places of a reflection's fields that weigh as much: files 2, quotes 2, the text 3, the type 1. */
function fieldsOf({ text, type, files, evidence }: Lesson): string[][] {
  const quotes = evidence.map(({ quote }) => quote);
  return [files, quotes, [], [text], [type]].map((texts) =>
    termsOfTexts([...texts, ...texts.flatMap(partsOfNames)]),
  );
}

function partsOfNames(text: string): string[] {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((name) => name.replace(CAPITAL_WITHIN, '$1 '))
    .filter((parts) => parts.includes(' '));
}
