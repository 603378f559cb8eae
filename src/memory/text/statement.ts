import { CODE_SPAN, codeOf } from '../../platform/text/code-span.ts';

/** Words that carry no meaning in a statement about a repository. */
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
const QUOTED = new RegExp(`["“]([^"”]+)["”]|(${CODE_SPAN.source})`, 'g');
const EDGES = /^[("'`[{,;:!?.…]+|[)"'`\]},;:!?.…]+$/g;

/**
 * The same text for statements that differ only in case, white space, quotation marks or full stops; operators and
 * paths are kept.
 */
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

/** The words of a normalised statement in order, without stop words; regular plurals as singulars. */
export function statementWords(text: string): string[] {
  return normalStatement(text)
    .split(' ')
    .map((word) => word.replace(EDGES, '') || word)
    .filter((word) => word !== '' && !STOP_WORDS.has(word))
    .map((word) => (isPlural(word) ? word.slice(0, -1) : word));
}

/** `always` is no plural: without its last letter the directive would no longer be recognised. */
function isPlural(word: string): boolean {
  return /^[a-z]{4,}s$/.test(word) && !word.endsWith('ss') && word !== 'always';
}

/** Words that must agree for two statements to be one: numbers, paths and code as they are, any negation as `not`. */
export function decisiveWords(words: readonly string[]): Set<string> {
  return new Set(
    words.flatMap((word) => (isNegation(word) ? ['not'] : /[^\p{L}'’-]/u.test(word) ? [word] : [])),
  );
}

/** True for a word that negates a statement. */
export function isNegation(word: string): boolean {
  return NEGATIONS.has(word);
}

/** True where both sets have the same words in the same order: `a → b` is the opposite of `b → a`. */
export function haveSameOrder(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const words = [...other];
  return one.size === other.size && [...one].every((word, index) => word === words[index]);
}

/** True where every passage in quotes or backticks of either statement occurs in the other. */
export function haveSameQuotes(one: string, other: string): boolean {
  const hasQuotesOf = (text: string, quoting: string): boolean =>
    [...quoting.matchAll(QUOTED)].every(([, quoted, code]) =>
      text.includes(normalStatement(quoted ?? codeOf(code!))),
    );
  return hasQuotesOf(normalStatement(one), other) && hasQuotesOf(normalStatement(other), one);
}

/** The statement with every passage in quotes or backticks replaced by its marks, so that its words do not count. */
export function withoutQuotes(text: string): string {
  return text.replace(QUOTED, '""');
}
