import { describe, expect, it } from 'vitest';
import { changeBetween, keyOfChange, tokensIn } from '../../../src/repair/habits/tokens.ts';

const textsOf = (code: string): string[] => tokensIn(code).map(({ text }) => text);

describe('tokensIn', () => {
  it('splits code into names, numbers, strings and signs, without comments and semicolons', () => {
    expect(textsOf('a?.b ?? "c" /* d */ !== 1.5; // e')).toEqual(['a', '?.', 'b', '??', "'c'", '!==', '1.5']);
  });

  it('gives equal strings the same token, whatever their quotes, and does not tell long ones apart', () => {
    expect(textsOf(`'a' "a" \`a\``)).toEqual(["'a'", "'a'", "'a'"]);
    expect(textsOf(`'${'x'.repeat(40)}'`)).toEqual(textsOf(`'${'y'.repeat(40)}'`));
  });

  it('says where each token is, and reads what is no code', () => {
    expect(tokensIn(' ab ')).toEqual([{ text: 'ab', start: 1, end: 3 }]);
    expect(textsOf("it's `open")).toEqual(['it', "'", 's', '`', 'open']);
  });
});

describe('changeBetween', () => {
  it('leaves out what both sides begin and end with', () => {
    expect(changeBetween(['a', '<', 'b'], ['a', '<=', 'b'])).toEqual({ head: 1, from: ['<'], to: ['<='] });
    expect(changeBetween(['a', 'a'], ['a'])).toEqual({ head: 1, from: ['a'], to: [] });
  });

  it('has a key that does not depend on the place', () => {
    const [here, there] = [
      changeBetween(['a', '<', 'b'], ['a', '<=', 'b']),
      changeBetween(['<', 'n'], ['<=', 'n']),
    ];
    expect(keyOfChange(here)).toBe(keyOfChange(there));
  });
});
