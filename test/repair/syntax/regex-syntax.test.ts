import { describe, expect, it } from 'vitest';
import { alternativesOf, partsOf } from '../../../src/repair/syntax/regex-syntax.ts';

const shown = (pattern: string): string[] =>
  partsOf(pattern).map(({ kind, text, quantifier }) => `${kind} ${text}${quantifier && ` ${quantifier}`}`);

describe('parts of a regular expression', () => {
  it.each([
    ['^a+$', ['anchor ^', 'character a +', 'anchor $']],
    ['[^\\]a]{2,}?', ['class [^\\]a] {2,}?']],
    ['\\d\\u{41}\\p{L}*', ['escape \\d', 'escape \\u{41}', 'escape \\p{L} *']],
    ['(?<n>a|b)?', ['open (?<n>', 'character a', 'bar |', 'character b', 'close ) ?']],
    [
      '(?=a)(?<!b)',
      ['lookaround (?=', 'character a', 'close )', 'lookaround (?<!', 'character b', 'close )'],
    ],
    ['\\bx{,2}', ['anchor \\b', 'character x', 'character {', 'character ,', 'character 2', 'character }']],
  ])('%s', (pattern, parts) => {
    expect(shown(pattern)).toEqual(parts);
  });

  it('cover the whole text, also of what is no pattern', () => {
    for (const text of ['a(b|[c]d', '*+?', '[', '\\', '((|']) {
      const covered = partsOf(text).map((part) => part.text + part.quantifier);
      expect(covered.join('')).toBe(text);
    }
  });
});

describe('alternatives of a regular expression', () => {
  const ends = (pattern: string): (readonly [number, number])[] =>
    alternativesOf(pattern, partsOf(pattern)).map(({ at, items }) => [at, items.length]);

  it('are those of each group, then those of the whole', () => {
    expect(ends('(a|b)c')).toEqual([
      [4, 2],
      [6, 0],
    ]);
    expect(ends('a|b|c$')).toEqual([[5, 3]]);
  });

  it('can each be cut out with one bar', () => {
    const pattern = '(a|b|c)';
    const [group] = alternativesOf(pattern, partsOf(pattern));
    const without = group!.items.map(({ start, end }) => pattern.slice(0, start) + pattern.slice(end));
    expect(without).toEqual(['(b|c)', '(a|c)', '(a|b)']);
  });
});
