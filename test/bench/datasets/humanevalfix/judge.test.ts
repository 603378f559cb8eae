import { describe, expect, it } from 'vitest';
import { judge, runPlainly } from '../../../../bench/datasets/humanevalfix/judge.ts';
import { problemOf } from './sample.ts';

const { signal } = new AbortController();
const CORRECT = 'const sumTo = (limit) => (limit * (limit + 1)) / 2;';

describe('judge', () => {
  it('accepts a program that passes the full and the example tests', async () => {
    expect(await judge(problemOf(), CORRECT, signal)).toEqual({ passed: true });
  });

  it('names the tests that a program fails, and the error', async () => {
    const answersExample = 'const sumTo = () => 6;';
    expect(await judge(problemOf(), answersExample, signal)).toEqual({
      passed: false,
      why: 'full tests: Error: Assertion failed',
    });
    const answersFull = `${CORRECT.slice(0, -1)} + (limit === 3);`;
    expect(await judge(problemOf(), answersFull, signal)).toMatchObject({
      passed: false,
      why: expect.stringMatching(/^example tests/),
    });
  });
});

describe('runPlainly', () => {
  it.each([
    ['exits early', 'process.exit(0);', /ended early with exit code 0/],
    ['does not parse', 'const a = ;', /SyntaxError/],
    ['declares a name twice', 'const a = 1; const a = 2;', /SyntaxError/],
    ['throws', 'missing();', /ReferenceError: missing is not defined/],
    ['rejects', 'Promise.reject(new TypeError("late"));', /TypeError: late/],
  ])('fails a program that %s', async (_how, program, why) => {
    expect(await runPlainly(program, 'console.assert(true);', signal)).toMatch(why);
  });

  it('runs programs in sloppy mode', async () => {
    expect(await runPlainly('total = 1;', 'console.assert(total === 1)', signal)).toBeUndefined();
  });

  it('returns that it was stopped', async () => {
    expect(await runPlainly('', '', AbortSignal.abort())).toBe('stopped');
  });
});
