import type { NamedPlace } from './tenable.ts';

/** Words for parts of code, and how these are written. */
const CONSTRUCTS: readonly (readonly [word: RegExp, code: RegExp])[] = [
  [
    /\bloops?\b|\biterat\w+/i,
    /\b(?:for|while|do)\b|\.(?:forEach|map|filter|reduce|some|every|flatMap|find\w*)\(/,
  ],
  [
    /\b(?:conditions?|comparisons?|compares?|guards?|branch(?:es)?)\b/i,
    /\b(?:if|while|case|for)\b|[<>]|[=!]==?|\?|&&|\|\|/,
  ],
  [/\bternary\b/i, /\?[^.?]/],
  [/\breturns?\b/i, /\breturn\b|=>/],
  [/\b(?:regular expressions?|regex(?:es)?)\b/i, /\/[^/\n]+\/|\bRegExp\b/],
  [/\b(?:divides?|division|divided)\b/i, /\//],
  [/\b(?:multipl\w+|product)\b/i, /\*/],
  [/\b(?:subtracts?|subtraction|minus)\b/i, /-/],
  [/\b(?:rounds?|rounding)\b/i, /round|floor|ceil|toFixed|trunc|\|\s*0|~~/i],
  [/\b(?:sorts?|sorting)\b/i, /sort/i],
  [/\bawaits?\b/i, /\bawait\b/],
  [/\bcatch(?:es)?\b/i, /\bcatch\b/],
  [/\bswitch\b/i, /\bswitch\b|\bcase\b/],
  [/\bthrows?\b/i, /\bthrow\b/],
];

/** The parts of code that a sentence says to stand at a named line and that do not stand there; in a file, where it names no line. */
export function wrongConstructs(sentence: string, places: readonly NamedPlace[]): string[] {
  const plain = sentence.replace(/`[^`]*`/g, ' ');
  const isAbsent = /\b(?:no|without|missing|lacks?|never|not|forgets?|omits?|absent)\b/i.test(plain);
  const [place] = places;
  // A sentence on several places does not say where what is.
  if (place === undefined || places.length > 1 || isAbsent || place.text.trim() === '') return [];
  const code = withoutTexts(place.line === undefined ? place.text : place.near);
  return CONSTRUCTS.flatMap(([word, shape]) => {
    const said = word.exec(plain)?.[0];
    return said === undefined || shape.test(code) ? [] : [`It says "${said}" of a place without one.`];
  });
}

/** Code without its comments and strings. */
function withoutTexts(code: string): string {
  return code.replace(/\/\/.*$|\/\*[^]*?\*\/|^\s*\*.*$|'[^'\n]*'|"[^"\n]*"/gm, ' ');
}
