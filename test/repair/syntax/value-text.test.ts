import { describe, expect, it } from 'vitest';
import { textOfValue } from '../../../src/repair/syntax/value-text.ts';

describe('textOfValue', () => {
  it.each([
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [0, -0],
    [NaN, NaN],
    [new Set([1]), new Set([1])],
    [new Date(5), new Date(5)],
    [new RangeError('one'), new RangeError('another')],
  ])('is equal for %o and %o', (a, b) => {
    expect(textOfValue(a)).toBe(textOfValue(b));
  });

  it.each([
    ['1', 1],
    [null, undefined],
    [
      [1, [2]],
      [1, 2],
    ],
    [{ a: undefined }, {}],
    [new Map([['a', 1]]), new Map([['a', 2]])],
    [1n, 1],
    [[], {}],
  ])('differs for %o and %o', (a, b) => {
    expect(textOfValue(a)).not.toBe(textOfValue(b));
  });

  it('is bounded for cyclic, large and unreadable values', () => {
    const round: Record<string, unknown> = {};
    round['self'] = round;
    expect(textOfValue(round)).toContain('↑');
    expect(textOfValue(Array.from({ length: 5000 }, () => 1)).length).toBeLessThan(12_000);
    const closed = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    expect(textOfValue(closed)).toBe('unreadable');
  });
});
