import { createHash } from 'node:crypto';
import type { Lesson } from '../../schema/generated.ts';

/** What makes two proposals one lesson. */
export type LessonIdentity = Pick<Lesson, 'text' | 'type' | 'subject'>;

/** Words that say nothing about what a statement is about. */
const STOP_WORDS = new Set(
  (
    'a an and any are as at be been before but by can do does each for from has have how if in into is it its of ' +
    'on or so that the their them then there these they this those to was were what when where which while with you your'
  ).split(' '),
);
const NEGATIONS = new Set(
  "not no never don't doesn't cannot can't must-not without avoid isn't aren't won't shouldn't mustn't".split(
    ' ',
  ),
);
const QUOTED = /["“]([^"”]+)["”]|`([^`]+)`/g;
const EDGES = /^[("'`[{,;:!?.…]+|[)"'`\]},;:!?.…]+$/g;

/** `lesson-` and 12 hex digits: the same for the same statement, type and subject, whenever and wherever it is made. */
export function lessonId({ text, type, subject }: LessonIdentity): string {
  const digest = createHash('sha256')
    .update([normalStatement(text), type, subject].join('\0'))
    .digest('hex');
  return `lesson-${digest.slice(0, 12)}`;
}

/** One text for statements that differ in capitals, white space, quotes or a last full stop; operators and paths stay. */
export function normalStatement(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[`"“”]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[.!…]+(?= |$)/g, '')
    .trim();
}

/** The words that a statement is made of, plain ones in their singular and stop words left out. */
export function wordsOf(text: string): string[] {
  return normalStatement(text)
    .split(' ')
    .map((word) => word.replace(EDGES, '') || word)
    .filter((word) => word !== '' && !STOP_WORDS.has(word))
    .map((word) => (isPlural(word) ? word.slice(0, -1) : word));
}

/** `always` is none: a directive that lost its last letter is taken for a matter of its own. */
function isPlural(word: string): boolean {
  return /^[a-z]{4,}s$/.test(word) && !word.endsWith('ss') && word !== 'always';
}

/** Words on which the meaning hangs alone: numbers, paths, code, and whether something is denied. */
export function hardWordsOf(words: readonly string[]): Set<string> {
  return new Set(
    words.flatMap((word) => (isNegation(word) ? ['not'] : /[^\p{L}'’-]/u.test(word) ? [word] : [])),
  );
}

/** True for a word that turns a statement into its opposite. */
export function isNegation(word: string): boolean {
  return NEGATIONS.has(word);
}

/** Shared words by all words, 0..1 (Jaccard); 0 where there are none. */
export function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** True where both have the same words in the same order: `a → b` says the opposite of `b → a`. */
export function isSameRow(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const row = [...other];
  return one.size === other.size && [...one].every((word, at) => word === row[at]);
}

/** True where what either has in quotes or backticks stands in the other to the letter, white space aside. */
export function quotesTheSame(one: string, other: string): boolean {
  const hasQuotesOf = (text: string, said: string): boolean =>
    [...said.matchAll(QUOTED)].every(([, quoted, code]) => text.includes(normalStatement(quoted ?? code!)));
  return hasQuotesOf(normalStatement(one), other) && hasQuotesOf(normalStatement(other), one);
}
