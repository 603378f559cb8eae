import type { Span } from './spans.ts';

/** Fewer letters and digits could be in a row by chance. */
const SHORTEST = 12;
/** A secret with more characters is found by its beginning. */
const LONGEST = 200;

/**
 * What is left of the spellings of a secret without everything but letters and digits, in lower case: its characters, base64,
 * hexadecimal, and the numbers of its bytes with the marks that programs put before each (`\x6b`, `0x6b`, `\u006b`). `bases`
 * are its base64 texts.
 */
export function spellingsOf(value: string, bases: readonly string[]): string[] {
  const shown = value.slice(0, LONGEST);
  const bytes = [...Buffer.from(shown)];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  const inUrl = encodeURIComponent(shown.toWellFormed());
  const wide = Buffer.from(shown, 'utf16le');
  const spellings = [
    // Without a digit, words of a sentence could be the same.
    ...(/\d/.test(shown) ? [shown, [...shown].reverse().join('')] : []),
    ...bases,
    ...['', 'x', '0x', 'u00'].map((mark) => hex.map((digits) => mark + digits).join('')),
    bytes.join(''),
    ...[0, 3].map((digits) => bytes.map((byte) => byte.toString(8).padStart(digits, '0')).join('')),
    bytes.map((byte) => byte.toString(2).padStart(8, '0')).join(''),
    ...[wide.toString('hex'), wide.toString('base64')],
    ...(inUrl === shown ? [] : [inUrl, encodeURIComponent(inUrl)]),
    ...(NOT_ASCII.test(shown) ? escapedSpellings(shown) : []),
  ];
  return [...new Set(spellings.map(squeezed))].filter((text) => text.length >= SHORTEST);
}

const NOT_ASCII = /[^\0-\x7f]/;
/** Names of HTML, in lower case as `squeezed` leaves them. */
const NAMED: Readonly<Record<string, string>> = { ä: 'auml', ö: 'ouml', ü: 'uuml', ß: 'szlig', é: 'eacute' };

/**
 * Spellings of a text with letters beyond ASCII, whose numbers are not those of their bytes: escapes of JSON and JavaScript, and
 * entities, of all characters or only of those letters.
 */
function escapedSpellings(text: string): string[] {
  const units = text.split('');
  const letters = [...text];
  const number = (letter: string): number => letter.codePointAt(0)!;
  const how: readonly (readonly [parts: readonly string[], escaped: (part: string) => string])[] = [
    [units, (unit) => `u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`],
    [letters, (letter) => `u${number(letter).toString(16)}`],
    [letters, (letter) => `x${number(letter).toString(16)}`],
    [letters, (letter) => String(number(letter))],
    [letters, (letter) => NAMED[letter.toLowerCase()] ?? letter],
    [letters, (letter) => [...Buffer.from(letter)].map((byte) => `x${byte.toString(16)}`).join('')],
  ];
  const escaped = how.flatMap(([parts, escape]) => [
    parts.map(escape).join(''),
    parts.map((part) => (NOT_ASCII.test(part) ? escape(part) : part)).join(''),
  ]);
  // Without a digit, words of a sentence could be the same.
  return escaped.filter((spelling) => /\d/.test(spelling));
}

/**
 * Spellings of secrets in a text that are interrupted or in another case: one character a line, bytes with separators as
 * `xxd` and `od` print them, `'abc\n' + 'def'`, colours between characters, line breaks in base64.
 */
export function findSpelledOut(text: string, spellings: readonly string[]): Span[] {
  if (spellings.length === 0 || text.length < SHORTEST) return [];
  const plain = squeezed(text);
  if (plain.length < SHORTEST) return [];
  const found = spellings.flatMap((spelling) => occurrencesOf(spelling, plain));
  if (found.length === 0) return [];
  const places = placesOf(text);
  return found.map(({ start, end }) => ({ start: places[start]!, end: places[end - 1]! + 1 }));
}

function occurrencesOf(spelling: string, plain: string): Span[] {
  const found: Span[] = [];
  for (let start = plain.indexOf(spelling); start !== -1; start = plain.indexOf(spelling, start + 1))
    found.push({ start, end: start + spelling.length });
  return found;
}

/** Everything but letters and digits; also the letters of `\n` and the like, and those of a colour of the terminal. */
// eslint-disable-next-line no-control-regex -- the escape character begins a colour
const BETWEEN = /[^A-Za-z0-9\\\x1b]+|(?:\x1b|\\(?:u001b|x1b|033))\[[\d;]*m|\\[nrt]?|\x1b/g;

function squeezed(text: string): string {
  return text.replace(BETWEEN, '').toLowerCase();
}

/** Where each character of the squeezed text is. */
function placesOf(text: string): Uint32Array {
  const places = new Uint32Array(text.length);
  let count = 0;
  let from = 0;
  for (const { index, 0: between } of text.matchAll(BETWEEN)) {
    while (from < index) places[count++] = from++;
    from = index + between.length;
  }
  while (from < text.length) places[count++] = from++;
  return places;
}
