import { describe, expect, it } from 'vitest';
import { boundBytes, fairShare, fenced, line, valueLine, within } from '../../src/prompts/bounded-data.ts';

describe('boundBytes', () => {
  it.each(['x', 'é', '語', '😀', 'x語', '\ud800'])(
    'cuts a text of %j to the limit without splitting a character',
    (letter) => {
      for (const limit of [80, 500, 4000]) {
        for (const length of [limit / 2, limit - 1, limit, limit + 1, limit * 3]) {
          const bounded = boundBytes(letter.repeat(length), limit);
          expect(Buffer.byteLength(bounded)).toBeLessThanOrEqual(limit);
          expect(bounded.isWellFormed()).toBe(true);
        }
      }
    },
  );

  it('keeps head and tail, and marks the cut', () => {
    const bounded = boundBytes(`head ${'語'.repeat(1000)} tail`, 300);
    expect(bounded).toMatch(/^head 語+\n\[… \d+ characters left out …\]\n語+ tail$/);
    expect(Buffer.byteLength(bounded)).toBeGreaterThan(200);
  });

  it('returns a text within the limit unchanged', () => {
    expect(boundBytes('語'.repeat(100), 300)).toBe('語'.repeat(100));
  });
});

describe('fairShare', () => {
  it.each([
    [[10, 20, 30], 100, 100],
    [[100, 100], 100, 50],
    [[10, 100, 100], 110, 50],
    [[100, 10, 20], 110, 80],
    [[], 100, 100],
  ])('of the sizes %j and the total %d is %d', (sizes, total, expected) => {
    expect(fairShare(sizes, total)).toBe(expected);
  });
});

describe('within', () => {
  it('shows the items that fit, at least one, and counts the others without rendering them', () => {
    const seen: string[] = [];
    const show = (item: string): string => {
      seen.push(item);
      return item.repeat(100);
    };
    expect(within(['a', 'b', 'c', 'd', 'e'], 300, show)).toEqual({
      shown: ['a', 'b'].map((item) => item.repeat(100)),
      cut: 3,
    });
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(within(['a', 'b'], 5, show)).toEqual({ shown: ['a'.repeat(100)], cut: 1 });
    expect(within([], 5, show)).toEqual({ shown: [], cut: 0 });
  });
});

describe('quoted text', () => {
  it('is one line after a label', () => {
    expect(line(' a\r\n\n# b\u2028c\t d ', 100)).toBe('a\\u{d} # b\\u{2028}c d');
    expect(line('x\n'.repeat(500), 100)).not.toContain('\n');
    expect(valueLine(' a\n\tb ', 100)).toBe(' a\\n\tb ');
    expect(valueLine('x'.repeat(500), 100)).toMatch(/^x+ \[… \d+ characters left out …\] x+$/);
  });

  it('cannot close its fence, and long runs of backticks are replaced', () => {
    expect(fenced('a\n```\nb', 100)).toEqual({ fence: '````', text: 'a\n```\nb' });
    expect(fenced(`a ${'`'.repeat(15)}`, 100).fence).toBe('`'.repeat(16));
    expect(fenced(`a ${'`'.repeat(5000)} b`, 100)).toEqual({
      fence: '```',
      text: 'a [… 5000 backticks …] b',
    });
  });

  it('keeps the indentation of its first line', () => {
    expect(fenced('\n\n  a\n    b\n\n', 100).text).toBe('  a\n    b');
  });
});
