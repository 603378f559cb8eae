/** A long word that is no word of a language, such as a key, a digest or a program in base64. */
export interface EncodedText {
  readonly text: string;
  readonly index: number;
}

const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi;
const RUN = /[A-Za-z0-9+/_=-]{32,}/g;
const BROKEN_BY_NOTHING = /\S{200,}/g;
const DIGITS = /^[0-9a-f]+$/i;
/** Longer than the name of a commit. */
const LONG_DIGITS = 48;
const LONG = 64;
const BEGINS_WITH_WORD = /^[A-Za-z0-9][A-Za-z0-9+/_=-]*$/;
/** Parts of names and paths are words of this length at most. */
const LONGEST = 20;
const WORD = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;

/** Long words of a text that look encoded. */
export function encodedIn(text: string): EncodedText[] {
  const plain = text.replace(ADDRESS, (address) => ' '.repeat(address.length));
  return [...plain.matchAll(RUN), ...plain.matchAll(BROKEN_BY_NOTHING)]
    .filter(({ 0: run }) => run.length >= 200 || isEncoded(run))
    .map(({ 0: run, index }) => ({ text: run, index }));
}

function isEncoded(run: string): boolean {
  if (isSequence(run) || isLine(run)) return false;
  if (DIGITS.test(run)) return run.length >= LONG_DIGITS;
  return isWords(run) ? false : run.length >= LONG || isMixed(run);
}

/** A row of one or two signs, as a comment draws it. */
function isLine(run: string): boolean {
  return new Set(run).size <= 3;
}

/** An alphabet, whose characters mostly follow each other. */
function isSequence(run: string): boolean {
  let following = 0;
  for (let at = 1; at < run.length; at++) if (run.charCodeAt(at) === run.charCodeAt(at - 1) + 1) following++;
  return following > run.length / 2;
}

/** Names in camel case, with dashes, or a path: few parts, most of them long. */
function isWords(run: string): boolean {
  const words = run.match(WORD) ?? [];
  return (
    BEGINS_WITH_WORD.test(run) && words.every((it) => it.length <= LONGEST) && run.length / words.length >= 4
  );
}

/** Letters of both cases and digits, most of them different from their neighbours in kind. */
function isMixed(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
}
