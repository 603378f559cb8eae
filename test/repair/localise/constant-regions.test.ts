import { describe, expect, it } from 'vitest';
import { constantRegions } from '../../../src/repair/localise/constant-regions.ts';
import { parseSource, type ParsedSource } from '../../../src/repair/syntax/parse.ts';

const TEXT = `const DIGITS = /\\d+/, UNREAD = 1;
export const TABLE = { a: 1 };
const helper = () => DIGITS;
export function f(x) { return DIGITS.test(x); }
export function g(x) { return TABLE[x]; }
`;

const regionsFor = (...suspected: readonly [text: string, weight: number][]) => {
  const parsed = parseSource('a.js', TEXT) as ParsedSource;
  const regions = suspected.map(([text, weight]) => {
    const start = TEXT.indexOf(text);
    return { start, end: start + text.length, line: 1, weight };
  });
  return constantRegions(parsed, regions).map(({ start, end, line, weight }) => ({
    text: TEXT.slice(start, end),
    line,
    weight,
  }));
};

describe('constantRegions', () => {
  it('gives constants 70 % of the weight of their most suspicious reader', () => {
    expect(regionsFor(['return DIGITS.test(x);', 1], ['return TABLE[x];', 0.5])).toEqual([
      { text: '/\\d+/', line: 1, weight: 0.7 },
      { text: '{ a: 1 }', line: 2, weight: 0.35 },
    ]);
  });

  it('leaves out constants that no suspected statement reads', () => {
    expect(regionsFor(['return TABLE[x];', 1]).map(({ text }) => text)).toEqual(['{ a: 1 }']);
    expect(regionsFor()).toEqual([]);
  });
});
