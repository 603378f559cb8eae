import picomatch from 'picomatch';
import type { Lesson, LessonType } from '../../schema/generated.ts';
import { wordsOf } from '../lessons/statement.ts';
import { rankByTerms } from './bm25.ts';

/** Conditions that must all hold; an absent one holds. */
export interface LessonQuery {
  /** Looked for in text, files and evidence; what has more of them, and rarer ones, comes first (BM25). */
  readonly words?: string;
  readonly types?: readonly LessonType[];
  /** Glob; without a slash it is matched with the file's name. */
  readonly file?: string;
  readonly limit?: number;
}

/** Lessons that meet a query; in the order that they were given in where it has no words. */
export function findLessons(
  lessons: readonly Lesson[],
  { words = '', types, file, limit }: LessonQuery,
): Lesson[] {
  const isFile =
    file === undefined ? undefined : picomatch(file, { dot: true, basename: !file.includes('/') });
  const open = lessons.filter(
    (lesson) =>
      (types === undefined || types.includes(lesson.type)) &&
      (isFile === undefined || lesson.files.some((path) => isFile(path))),
  );
  return (words.trim() === '' ? open : byWords(open, words)).slice(0, limit);
}

function byWords(lessons: readonly Lesson[], words: string): Lesson[] {
  const { scores } = rankByTerms(lessons.map(saidIn), partsOf(words));
  return lessons
    .map((lesson, index) => ({ lesson, score: scores[index]! }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ lesson }) => lesson);
}

function saidIn({ text, type, files, evidence }: Lesson): string[] {
  return [text, type, ...files, ...evidence.map(({ quote }) => quote)].flatMap(partsOf);
}

/** Words whole, and the parts of paths and names. */
function partsOf(text: string): string[] {
  return [
    ...wordsOf(text),
    ...wordsOf(text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ')),
  ];
}
