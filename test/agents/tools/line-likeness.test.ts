import { describe, expect, it } from 'vitest';
import { likenessTo, sameness } from '../../../src/agents/tools/line-likeness.ts';

describe('how alike two lines are', () => {
  it.each([
    ['the same', 'return a;', 'return a;', 1],
    ['apart in white space around them', '  return a;', 'return a; ', 0.99],
    ['apart in everything', 'abcd', 'wxyz', 0],
    ['half the same', 'abc', 'abd', 0.5],
    ['of one letter, which counts as often as both have it', 'aaaaaaaaa', 'aa', 2 / 9],
    ['too short to compare', 'a', 'b', 0],
  ])('%s', (_name, line, other, expected) => {
    expect(sameness(line, other)).toBeCloseTo(expected, 10);
    expect(sameness(other, line)).toBeCloseTo(expected, 10);
  });

  it('is 0 at once where the lengths alone keep it below what is asked for', () => {
    expect(likenessTo('aa')('aaaaaaaaa', 0.5)).toBe(0);
    expect(likenessTo('aa')('aaaaaaaaa', 0.1)).toBeCloseTo(2 / 9, 10);
  });
});
