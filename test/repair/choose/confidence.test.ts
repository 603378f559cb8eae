import { describe, expect, it } from 'vitest';
import { confidenceOf, MIN_CONFIDENCE } from '../../../src/repair/choose/confidence.ts';
import { differenceBetween } from '../../../src/repair/choose/difference.ts';
import { countUnread } from '../../../src/repair/choose/leftovers.ts';
import { parseSource, type ParsedSource } from '../../../src/repair/syntax/parse.ts';
import { sitesOf } from '../../../src/repair/syntax/walk.ts';

describe('confidenceOf', () => {
  const covered = { reached: 1, hasIdleLoop: false, tests: 2, losesPaths: false, mutations: 0 };

  it('is the share of the behaviour if the tests run the whole function', () => {
    expect(confidenceOf(0.8, covered)).toBe(0.8);
  });

  it('falls with statements that no test reaches, less so with many tests', () => {
    const few = confidenceOf(0.8, { ...covered, reached: 0.5 });
    expect(few).toBeCloseTo(0.2);
    const many = confidenceOf(0.8, { ...covered, reached: 0.5, tests: 60 });
    expect(many).toBeGreaterThan(few);
    expect(many).toBeLessThan(0.8);
  });

  it('falls if a loop is never entered', () => {
    expect(confidenceOf(0.8, { ...covered, hasIdleLoop: true })).toBeCloseTo(0.4);
  });

  it('falls below the threshold if passing tests lose what they ran', () => {
    expect(confidenceOf(0.99, { ...covered, losesPaths: true })).toBeLessThan(MIN_CONFIDENCE);
  });

  it('falls with the share of the changes that change arguments', () => {
    expect(confidenceOf(0.8, { ...covered, mutations: 0.5 })).toBeCloseTo(0.4);
    expect(confidenceOf(0.8, { ...covered, mutations: 1 })).toBe(0);
  });
});

describe('differenceBetween', () => {
  const classOf = (outputs: readonly string[]) => ({ members: [], share: 0.5, outputs });
  const inputs = ['f("long input")', 'f(1)', 'f(2)'];

  it('names the shortest input on which two behaviours differ', () => {
    const [a, b] = [classOf(['1', '2', '3']), classOf(['0', '2', '4'])];
    expect(differenceBetween({ inputs }, a, b)).toEqual({ input: 'f(2)', results: ['3', '4'] });
  });

  it('names none if there is no other behaviour or none is known', () => {
    const a = classOf(['1', '2', '3']);
    expect(differenceBetween({ inputs }, a, a)).toBeUndefined();
    expect(differenceBetween({ inputs }, a, undefined)).toBeUndefined();
  });
});

describe('countUnread', () => {
  const unreadIn = (text: string): number => {
    const { tree } = parseSource('a.js', text) as ParsedSource;
    return countUnread(sitesOf(tree.program), { start: 0, end: text.length });
  };

  it.each([
    ['function f(a) { let b = 1; b = a; return a; }', 1],
    ['function f(a, b) { return a; }', 1],
    ['function f(a) { let b = 1; for (const x of a) { let b = x; } return 1; }', 2],
  ])('counts the names that %s does not read', (text, count) => {
    expect(unreadIn(text)).toBe(count);
  });

  it.each([
    'function f(a, b) { return b; }',
    'function f(a, _unused) { return a; }',
    'function f(a) { let b = 1; b += a; return b; }',
    'const unused = 1;',
  ])('counts none in %s', (text) => {
    expect(unreadIn(text)).toBe(0);
  });
});
