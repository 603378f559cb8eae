import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeSkippedInCi, judgeWithoutCi, skippedInCi } from '../../../src/compose/gate/skipped-in-ci.ts';
import type { Evaluation, TestCase } from '../../../src/schema/generated.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const test = (file: string, name: string, status: TestCase['status']): TestCase => ({
  ...{ id: `${file} > ${name}`, name, file, status },
});

it('names tests that are skipped in files that ask for CI', () => {
  const root = temporaryFolder();
  writeFiles(root, {
    'a.test.js': "test('a', { skip: process.env.CI }, () => {});\n",
    'b.test.js': "import isCI from 'is-ci';\n",
    'c.test.js': "test.skip('c', () => {});\n",
  });
  const told = (tests: TestCase[]): string[] => describeSkippedInCi(skippedInCi(root, { tests }));
  const tests = [test('a.test.js', 'a', 'skipped'), test('c.test.js', 'c', 'skipped')];
  expect(told(tests)).toEqual([
    'The checks run with CI=1, as in CI, and 1 test of files that ask for CI was skipped: a.test.js > a. Nothing was judged by it.',
  ]);
  expect(told([...tests, test('b.test.js', 'b', 'skipped')])[0]).toMatch(
    /2 tests .* were skipped: .* by them\.$/,
  );
  expect(told([test('a.test.js', 'a', 'passed'), test('c.test.js', 'c', 'skipped')])).toEqual([]);
});

describe('a run without CI', () => {
  beforeEach(() => void vi.stubEnv('CI', ''));
  afterEach(() => void vi.unstubAllEnvs());

  const skipped = [test('a.test.js', 'a', 'skipped')];
  const BROKEN = { change: 'failed', start: 'passed' } as const;

  /** What is found where the test has these results without CI, and which trees ran. */
  async function judged(
    results: Readonly<Record<'change' | 'start', TestCase['status']>> & {
      readonly again?: TestCase['status'];
    },
    { isReached = true, ms = 500 } = {},
  ) {
    const ran: string[] = [];
    const found = await judgeWithoutCi({
      skipped,
      isReached: () => isReached,
      baseline: { checks: [{ duration_ms: ms }] } as unknown as Evaluation,
      again: (which) => {
        ran.push(`${which} ${JSON.stringify(process.env['CI'])}`);
        const result = ran.length === 3 ? (results.again ?? results[which]) : results[which];
        const tests = [test('a.test.js', 'a', result)];
        return Promise.resolve({ tests } as unknown as Evaluation);
      },
    });
    return { ...found, ran };
  }

  it('holds a change that breaks a test which CI skips', async () => {
    const { CI } = process.env;
    const { doubt, ran } = await judged(BROKEN);
    expect(doubt).toMatch(/^Test "a" of a\.test\.js is skipped with CI=1/);
    expect(ran).toEqual(['change ""', 'start ""', 'change ""']);
    expect(process.env['CI']).toBe(CI);
  });

  it.each([
    ['passes', { change: 'passed', start: 'passed' }, ['change ""'], 0],
    ['fails at the start, too', { change: 'failed', start: 'failed' }, ['change ""', 'start ""'], 0],
    ['fails once alone', { ...BROKEN, again: 'passed' }, ['change ""', 'start ""', 'change ""'], 0],
    ['is skipped there, too', { change: 'skipped', start: 'passed' }, ['change ""'], 1],
  ] as const)('lets a change go whose test %s', async (_, results, runs, unjudged) => {
    const { doubt, ran, unjudged: left } = await judged(results);
    expect({ doubt, ran, left: left.length }).toEqual({ doubt: undefined, ran: runs, left: unjudged });
  });

  it('does not take place where the session itself is in CI', async () => {
    vi.stubEnv('CI', 'true');
    expect((await judged({ change: 'failed', start: 'passed' })).ran).toEqual([]);
  });

  it.each([{ isReached: false }, { ms: 60_000 }])('does not take place: %j', async (how) => {
    const { ran, unjudged } = await judged(BROKEN, how);
    expect({ ran, unjudged }).toEqual({ ran: [], unjudged: skipped });
  });
});
