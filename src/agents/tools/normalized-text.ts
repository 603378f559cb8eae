/**
 * The differences ignored when matching; each includes those before it: line ends (CRLF for LF), white space at the
 * ends of lines, characters that look alike (curly quotes, dashes, non-breaking spaces).
 */
export const TOLERANCES = ['line ends', 'trailing white space', 'look-alike characters'] as const;
export type Tolerance = (typeof TOLERANCES)[number];

/** A text without the differences that a tolerance ignores. */
export interface NormalizedText {
  readonly text: string;
  /** For each kept code unit, its index in the original text. */
  readonly origin: Uint32Array;
  /** Whether white space at the end of the text was removed. */
  readonly endTrimmed: boolean;
}

const NEWLINE = 10;
const RETURN = 13;
const TAB = 9;
const SPACE = 32;

const LOOK_ALIKES = new Map<number, number>([
  ...pairs('\u2018\u2019\u201a\u201b', "'"),
  ...pairs('\u201c\u201d\u201e\u201f', '"'),
  ...pairs('\u2010\u2011\u2012\u2013\u2014\u2015\u2212', '-'),
  ...pairs('\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000', ' '),
]);

/** Each kept code unit remains one code unit, so that `origin` maps every index to the original. */
export function normalize(text: string, tolerance: Tolerance): NormalizedText {
  const trims = tolerance !== 'line ends';
  const maps = tolerance === 'look-alike characters';
  const units = new Uint16Array(text.length);
  const origin = new Uint32Array(text.length);
  let length = 0;
  const trim = (): boolean => {
    const before = length;
    while (trims && length > 0 && isBlank(units[length - 1]!)) length--;
    return length < before;
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === RETURN && text.charCodeAt(at + 1) === NEWLINE) continue;
    if (unit === NEWLINE) trim();
    units[length] = maps && unit > 127 ? (LOOK_ALIKES.get(unit) ?? unit) : unit;
    origin[length] = at;
    length++;
  }
  const endTrimmed = trim();
  const kept = Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
  return { text: kept, origin: origin.subarray(0, length), endTrimmed };
}

/** The indices of `part` in `whole`, overlapping occurrences included. */
export function findOccurrences(part: NormalizedText, whole: NormalizedText): number[] {
  const found: number[] = [];
  if (part.text === '') return found;
  for (let at = whole.text.indexOf(part.text); at !== -1; at = whole.text.indexOf(part.text, at + 1)) {
    const next = whole.text[at + part.text.length];
    if (!part.endTrimmed || next === undefined || next === '\n') found.push(at);
  }
  return found;
}

function isBlank(unit: number): boolean {
  return unit === SPACE || unit === TAB;
}

function pairs(from: string, to: string): [number, number][] {
  return [...from].map((character) => [character.charCodeAt(0), to.charCodeAt(0)]);
}
