import { describe, expect, it } from 'vitest';
import { readRegex } from '../../../src/repair/syntax/regex-syntax.ts';

const shown = (pattern: string): string[] | undefined =>
  readRegex(pattern)?.parts.map(
    ({ kind, text, quantifier }) => `${kind} ${text}${quantifier && ` ${quantifier}`}`,
  );

describe('the parts of a regular expression', () => {
  it.each([
    ['^a+$', ['anchor ^', 'character a +', 'anchor $']],
    ['[^\\]a]{2,}?', ['class [^\\]a] {2,}?']],
    ['\\d\\u{41}\\p{L}*', ['escape \\d', 'escape \\u{41}', 'escape \\p{L} *']],
    ['(?<n>a|b)?\\k<n>', ['open (?<n>', 'character a', 'bar |', 'character b', 'close ) ?', 'escape \\k<n>']],
    [
      '(?=a)(?<!b)',
      ['lookaround (?=', 'character a', 'close )', 'lookaround (?<!', 'character b', 'close )'],
    ],
    ['(?:)', ['open (?:', 'close )']],
    ['\\bx{,2}', ['anchor \\b', 'character x', 'character {', 'character ,', 'character 2', 'character }']],
  ])('of %s are listed in source order', (pattern, parts) => {
    expect(shown(pattern)).toEqual(parts);
  });

  it.each(['a(b|[c]d', '*+?', '[', '\\', '((|'])(
    'are undefined for %s, which is no valid pattern',
    (text) => {
      expect(readRegex(text)).toBeUndefined();
    },
  );

  it.each([
    ['[a-z\\d_]', ['a-z', '\\d', '_']],
    ['[^-a]', ['-', 'a']],
    ['[\\w-.]', ['\\w-.']],
    ['[\\w-]', ['\\w', '-']],
    ['[]', []],
  ])('include the members of the class %s', (pattern, members) => {
    expect(readRegex(pattern)?.parts.map((part) => part.members)).toEqual([members]);
  });
});

describe('the alternatives of a regular expression', () => {
  const ends = (pattern: string): (readonly [number, number])[] =>
    readRegex(pattern)!.alternatives.map(({ at, items }) => [at, items.length]);

  it('are those of each group, then those of the whole pattern', () => {
    expect(ends('(a|b)c')).toEqual([
      [4, 2],
      [6, 0],
    ]);
    expect(ends('a|b|c$')).toEqual([[5, 3]]);
    expect(ends('((a)|b)')).toEqual([
      [3, 0],
      [6, 2],
      [7, 0],
    ]);
  });

  it('can each be removed together with one bar', () => {
    const pattern = '(a|b|c)';
    const [group] = readRegex(pattern)!.alternatives;
    const without = group!.items.map(({ start, end }) => pattern.slice(0, start) + pattern.slice(end));
    expect(without).toEqual(['(b|c)', '(a|c)', '(a|b)']);
  });
});
