import { describe, expect, it } from 'vitest';
import { answersTest, specialCases } from '../../../src/repair/choose/answers.ts';
import type { Candidate } from '../../../src/repair/syntax/edit.ts';
import { rankByMerit } from '../../../src/repair/choose/merit.ts';

function candidate(replacement: string): Candidate {
  const edit = { file: 'a.js', start: 0, end: 1, replacement };
  return { edits: [edit], operator: 'test', line: 1, signature: replacement, prior: 1 };
}

describe('rankByMerit', () => {
  const [a, b, c] = [candidate('a'), candidate('b'), candidate('c')];
  const plausible = (scores: readonly number[], answers = false) =>
    [a, b, c].map((it, index) => ({ candidate: it, score: scores[index]!, answers: answers && index === 0 }));
  const nothing = { original: [], of: new Map(), examples: new Map() };

  it('orders by score if nothing could be compared', () => {
    expect(rankByMerit(plausible([0.2, 0.9, 0.5]), nothing)).toEqual([b, c, a]);
  });

  it('prefers behaviour that several edits have in common', () => {
    const of = new Map([
      [a, ['1', '2']],
      [b, ['3', '4']],
      [c, ['3', '4']],
    ]);
    expect(rankByMerit(plausible([0.5, 0.45, 0.4]), { ...nothing, original: ['0', '0'], of })[0]).toBe(b);
    const apart = new Map([...of, [c, ['5', '6']]]);
    expect(rankByMerit(plausible([0.5, 0.45, 0.4]), { ...nothing, original: ['0', '0'], of: apart })[0]).toBe(
      a,
    );
  });

  it('prefers behaviour that is closer to the unchanged code', () => {
    const of = new Map([
      [a, ['x', 'y']],
      [b, ['1', 'y']],
    ]);
    const two = plausible([0.5, 0.5]).slice(0, 2);
    expect(rankByMerit(two, { ...nothing, original: ['1', '2'], of })[0]).toBe(b);
    expect(rankByMerit(two, { ...nothing, original: ['x', '2'], of })[0]).toBe(a);
  });

  it('prefers edits under which the examples in comments hold', () => {
    const two = plausible([0.5, 0.4]).slice(0, 2);
    const examples = new Map([
      [a, 0.5],
      [b, 1],
    ]);
    expect(rankByMerit(two, { ...nothing, examples })[0]).toBe(b);
    expect(rankByMerit(two, nothing)[0]).toBe(a);
  });

  it('prefers edits that do not change their arguments, unless the unchanged code does', () => {
    const two = plausible([0.5, 0.4]).slice(0, 2);
    const mutates = '[1] and changes its arguments to [[1]]';
    const of = new Map([
      [a, [mutates]],
      [b, ['[1]']],
    ]);
    expect(rankByMerit(two, { ...nothing, original: ['[2]'], of })[0]).toBe(b);
    expect(
      rankByMerit(two, { ...nothing, original: ['[2] and changes its arguments to [[2]]'], of })[0],
    ).toBe(a);
  });

  it('puts an edit that inserts the expected result behind one that computes it', () => {
    expect(rankByMerit(plausible([0.6, 0.4, 0.1], true), nothing)[0]).toBe(b);
    expect(rankByMerit(plausible([0.6, 0.4, 0.1], false), nothing)[0]).toBe(a);
  });
});

describe('answersTest', () => {
  it.each([
    ['return 24;', '24'],
    ['"hello"', "'hello'"],
    ["if (x) return 'hello';\n", '"hello"'],
    ['x === 3 ? 24 : y', '24'],
  ])('%s inserts the expected %s', (replacement, expected) => {
    expect(answersTest(candidate(replacement), [expected])).toBe(true);
  });

  it.each([
    ['return 24 + x;', '24'],
    ['return 0;', '0'],
    ['return true;', 'true'],
    ["'hell'", "'hello'"],
    ['return x;', '24'],
  ])('%s does not insert the expected %s', (replacement, expected) => {
    expect(answersTest(candidate(replacement), [expected])).toBe(false);
  });
});

describe('specialCases', () => {
  const own = "function greet(name) { return 'Hello, ' + name; }";
  it.each([
    ["if (name === 'Ada') return 'Hi, Ada!';\n", "'Hi, Ada!'"],
    ["name.includes('d') ? 'Hi, Ada!' : name", "'Hi, Ada!'"],
    ['if (n === 17) return 24;', '24'],
    ["if (name.includes(',')) return 'Hi, Ada!';", "'Hi, Ada!'"],
  ])('%s returns %s for the input of one test', (replacement, expected) => {
    expect(specialCases(candidate(replacement), [expected], own)).toBe(true);
  });

  it.each([
    ["if (!name) return 'nobody';\n", "'nobody'"],
    ["if (name === '') return 'nobody';\n", "'nobody'"],
    ["if (name === 'Hello, ') return 'nobody';\n", "'nobody'"],
    ["if (name === 'Ada') return name;\n", "'Ada!'"],
    ['return 24;', '24'],
  ])('%s is no special case', (replacement, expected) => {
    expect(specialCases(candidate(replacement), [expected], own)).toBe(false);
  });
});
