const WORD = /[A-Za-z0-9_]/;
/** Ends of colour codes and escapes: raw, and as printed text, JSON and URLs write them. */
const ESCAPE_BEFORE =
  /(?:(?:\p{Cc}|\\u\{?0{0,2}1b\}?|\\x1b|\\033)\[[\d;]{0,12}m|\\[nrtbf]|\\u[\da-f]{4}|\\x[\da-f]{2}|%[\da-f]{2})$/iu;
const LONGEST_ESCAPE = 24;

/** True if a token can begin at `index`: not after a letter, digit or underscore, unless an escape ends there. */
export function beginsToken(text: string, index: number): boolean {
  if (index === 0 || !WORD.test(text[index - 1]!)) return true;
  return ESCAPE_BEFORE.test(text.slice(Math.max(0, index - LONGEST_ESCAPE), index));
}
