/** Letters and digits, at most 200 in a row; any other character separates terms. */
const TERM = /[\p{L}\p{M}\p{N}]{1,200}/gu;
/** Separates texts in a list of terms: it is no term, so no phrase matches across two texts. */
const GAP = '¶';
/** Shorter terms match whole terms only, not prefixes. */
const LEAST_PREFIX_CHARS = 3;

/** Consecutive terms; the word `src/parse.ts` is a phrase of three. */
export interface Phrase {
  readonly terms: readonly string[];
  /** The last term also matches longer terms that begin with it. */
  readonly isPrefix: boolean;
}

/** The terms of a text in order, lower-cased and NFKC-normalised: the tokens of the search index. */
export function fullTextTerms(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').match(TERM) ?? [];
}

/** The terms of several texts, with a gap between texts so that no phrase matches across two of them. */
export function joinedTerms(texts: readonly (string | undefined)[]): string[] {
  const lists = texts.filter((text) => text !== undefined).map(fullTextTerms);
  return lists.flatMap((terms, index) => (index === 0 ? terms : [GAP, ...terms]));
}

/** The distinct phrases of a query's words; a word without a letter or digit adds none. */
export function phrasesOf(words: readonly string[]): Phrase[] {
  const texts = new Set(words.map((word) => fullTextTerms(word).join(' ')).filter((text) => text !== ''));
  return [...texts].map((text) => {
    const terms = text.split(' ');
    return { terms, isPrefix: terms.at(-1)!.length >= LEAST_PREFIX_CHARS };
  });
}
