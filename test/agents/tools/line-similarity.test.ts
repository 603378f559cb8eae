import { describe, expect, it } from 'vitest';
import { similarityTo, lineSimilarity } from '../../../src/agents/tools/line-similarity.ts';

describe('lineSimilarity', () => {
  it.each([
    ['equal lines', 'return a;', 'return a;', 1],
    ['lines that differ in white space around them', '  return a;', 'return a; ', 0.99],
    ['different lines', 'abcd', 'wxyz', 0],
    ['lines with half of their bigrams in common', 'abc', 'abd', 0.5],
    ['repeated letters, counted as often as both have them', 'aaaaaaaaa', 'aa', 2 / 9],
    ['lines too short for bigrams', 'a', 'b', 0],
  ])('is right for %s', (_name, line, other, expected) => {
    expect(lineSimilarity(line, other)).toBeCloseTo(expected, 10);
    expect(lineSimilarity(other, line)).toBeCloseTo(expected, 10);
  });

  it('is 0 if the lengths alone keep it below the limit', () => {
    expect(similarityTo('aa')('aaaaaaaaa', 0.5)).toBe(0);
    expect(similarityTo('aa')('aaaaaaaaa', 0.1)).toBeCloseTo(2 / 9, 10);
  });
});
