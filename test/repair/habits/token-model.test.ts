import { describe, expect, it } from 'vitest';
import { TokenModel } from '../../../src/repair/habits/token-model.ts';

const LINE = 'for ( let i = 0 i < list . length i ++ )'.split(' ');
const logOf = (model: TokenModel, tokens: readonly string[]): number => model.logOf(tokens, 0, tokens.length);
const withSign = (sign: string): string[] => LINE.map((token) => (token === '<' ? sign : token));

describe('TokenModel', () => {
  it('finds usual what it has seen, and unusual what it has not', () => {
    const model = new TokenModel();
    for (let times = 0; times < 5; times++) model.add(LINE);
    expect(logOf(model, withSign('<'))).toBeGreaterThan(logOf(model, withSign('<=')) + 3);
  });

  it('has probabilities that sum to at most one after any tokens', () => {
    const model = new TokenModel();
    model.add(LINE);
    for (const before of [['list', '.'], ['i'], ['never', 'seen']]) {
      const sum = [...new Set(LINE)].reduce(
        (total, token) => total + Math.exp(model.logOf([...before, token], before.length, before.length + 1)),
        0,
      );
      expect(sum).toBeGreaterThan(0);
      expect(sum).toBeLessThanOrEqual(1.0001);
    }
  });

  it('forgets what is taken out', () => {
    const [model, other] = [new TokenModel(), new TokenModel()];
    for (const one of [model, other]) one.add(withSign('<='));
    other.add(LINE);
    other.add(LINE, -1);
    expect(logOf(other, LINE)).toBeCloseTo(logOf(model, LINE), 10);
    expect(other.size).toBe(model.size);
  });

  it('keeps counts apart in a table that has grown', () => {
    const model = new TokenModel();
    const many = Array.from({ length: 30_000 }, (_, index) => `name${index}`);
    model.add(many);
    model.add(LINE);
    expect(logOf(model, withSign('<'))).toBeGreaterThan(logOf(model, withSign('<=')));
    expect(model.logOf(many, 10, 11)).toBeGreaterThan(model.logOf([...many.slice(0, 10), 'other'], 10, 11));
  });
});
