import { describe, expect, test } from 'vitest';
import {
  addFailure,
  rewardOf,
  scoreReport,
  weighResults,
  type ScoredReport,
} from '../../../src/checks/score/reward.ts';
import type { CheckReport } from '../../../src/ports/evaluation.ts';
import { plainReport, testReport, type Outcomes } from '../scripted-check.ts';

function against(baseline: Outcomes, now: Outcomes, over: Partial<CheckReport> = {}): ScoredReport {
  return scoreReport(testReport(now, over), { result: undefined, tests: testReport(baseline).tests });
}

const HALF: Outcomes = { a: 'passed', b: 'failed' };

describe('the score of a test check', () => {
  test('is the share of tests that pass', () => {
    expect(scoreReport(testReport({ a: 'passed', b: 'passed', c: 'passed', d: 'failed' }))).toMatchObject({
      status: 'fail',
      score: 0.75,
      passed: 3,
      failed: 1,
      total: 4,
    });
  });

  test('ignores skipped tests, so that a green tree scores exactly 1', () => {
    const scored = scoreReport(testReport({ a: 'passed', b: 'skipped' }));
    expect(scored).toMatchObject({ status: 'pass', score: 1, passed: 1, total: 1, skipped: 1 });
  });

  test.each<[string, Outcomes]>([
    ['deleted', { a: 'passed' }],
    ['skipped', { a: 'passed', b: 'skipped' }],
  ])('does not rise when a failing test is %s', (_, now) => {
    expect(against(HALF, now)).toMatchObject({
      status: 'fail',
      score: 0.5,
      passed: 1,
      failed: 1,
      total: 2,
      missing: ['a.test.ts > b'],
    });
  });

  test('is 0 when every test is missing, even if the runner passes', () => {
    expect(against(HALF, {}, { status: 'pass' })).toMatchObject({ status: 'fail', score: 0, total: 2 });
  });

  test('falls when a passing test is missing, even if the runner passes', () => {
    expect(against({ a: 'passed', b: 'passed' }, { a: 'passed' })).toMatchObject({
      status: 'fail',
      score: 0.5,
      detail: expect.stringContaining('did not run') as string,
    });
  });

  test('is not raised by new tests above the share of the baseline tests', () => {
    const added = Object.fromEntries(
      Array.from({ length: 98 }, (_, index) => [`new ${index}`, 'passed'] as const),
    );
    expect(against(HALF, { ...HALF, ...added })).toMatchObject({
      status: 'fail',
      score: 0.5,
      passed: 99,
      total: 100,
    });
  });

  test('falls when a new test fails', () => {
    const now: Outcomes = { a: 'passed', b: 'passed', added: 'failed' };
    expect(against(HALF, now)).toMatchObject({ status: 'fail', score: 2 / 3, total: 3 });
  });

  test('ignores a test that the baseline skipped', () => {
    const baseline: Outcomes = { a: 'passed', b: 'skipped' };
    for (const status of ['passed', 'skipped'] as const) {
      expect(against(baseline, { a: 'passed', b: status })).toMatchObject({
        status: 'pass',
        score: 1,
        total: 1,
      });
    }
    expect(against(baseline, { a: 'passed' })).toMatchObject({ status: 'pass', score: 1, missing: [] });
  });

  test('does not require the file case of a file whose tests are now reported', () => {
    const baseline: Outcomes = { 'a.ts > x': 'passed', 'b.ts > (file)': 'failed' };
    const mended = against(baseline, { 'a.ts > x': 'passed', 'b.ts > y': 'passed' });
    expect(mended).toMatchObject({ status: 'pass', score: 1, missing: [] });
    const gone = against(baseline, { 'a.ts > x': 'passed' });
    expect(gone).toMatchObject({ status: 'fail', score: 0.5, missing: ['b.ts > (file)'] });
  });

  test('counts every test of a file that can no longer be loaded as failed', () => {
    const baseline: Outcomes = { 'a.ts > x': 'passed', 'b.ts > y': 'passed', 'b.ts > z': 'passed' };
    const now = against(baseline, { 'a.ts > x': 'passed', 'b.ts > (file)': 'failed' });
    expect(now).toMatchObject({ status: 'fail', total: 4, missing: ['b.ts > y', 'b.ts > z'] });
    expect(now.score).toBeLessThanOrEqual(1 / 3);
  });

  test('is below 1 when all tests pass but the check fails', () => {
    const scored = scoreReport(
      testReport({ a: 'passed' }, { status: 'fail', detail: 'Ended with exit code 1.' }),
    );
    expect(scored).toMatchObject({
      status: 'fail',
      score: 0.5,
      failed: 0,
      total: 1,
      errors: 1,
      detail: 'Ended with exit code 1.',
    });
  });

  test('is 0 for a check that could not run, even with passed tests', () => {
    expect(scoreReport(testReport({ a: 'passed' }, { status: 'error' }))).toMatchObject({
      status: 'error',
      score: 0,
    });
  });

  test('is 0 and no pass without tests', () => {
    expect(scoreReport(testReport({}))).toMatchObject({ status: 'error', score: 0, detail: 'No test ran.' });
    expect(scoreReport(testReport({ a: 'skipped' }))).toMatchObject({ status: 'skip', score: 0 });
    expect(against({ a: 'passed' }, { a: 'skipped' }, { status: 'skip' })).toMatchObject({
      status: 'fail',
      score: 0,
    });
  });

  test('uses counts where tests have no names, of at least the baseline total', () => {
    const counts = (passed: number, total: number): CheckReport =>
      testReport(
        {},
        { tool: 'command', passed, failed: total - passed, total, status: passed < total ? 'fail' : 'pass' },
      );
    const [result] = weighResults([scoreReport(counts(8, 10))], () => 1);
    const baseline = { result, tests: [] };
    expect(scoreReport(counts(8, 8), baseline)).toMatchObject({ status: 'fail', score: 0.8, total: 10 });
    expect(scoreReport(counts(12, 12), baseline)).toMatchObject({ status: 'pass', score: 1 });
  });

  test('never rises when tests are deleted or skipped, for every subset of every outcome', () => {
    const statuses = ['passed', 'failed', 'skipped'] as const;
    for (let code = 0; code < 3 ** 4; code++) {
      const all = Array.from(
        { length: 4 },
        (_, index) => [`t${index}`, statuses[Math.floor(code / 3 ** index) % 3]!] as const,
      );
      const whole = against(Object.fromEntries(all), Object.fromEntries(all)).score;
      for (let mask = 0; mask < 2 ** 4; mask++) {
        const left = Object.fromEntries(all.filter((_, index) => (mask >> index) % 2 === 1));
        const { score } = against(Object.fromEntries(all), left);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(whole);
      }
    }
  });
});

describe('the score of other checks', () => {
  test.each(['types', 'lint'] as const)('is 1 for %s without errors and 0 with one', (kind) => {
    expect(scoreReport(plainReport(kind)).score).toBe(1);
    expect(scoreReport(plainReport(kind, ['TS2322'])).score).toBe(0);
    expect(scoreReport({ ...plainReport(kind), status: 'error' }).score).toBe(0);
  });

  test('is 1 or 0 for a command, by its status', () => {
    expect(scoreReport(plainReport('command')).score).toBe(1);
    expect(scoreReport(plainReport('command', ['exit 1'])).score).toBe(0);
    expect(scoreReport(testReport({}, { tool: 'command' })).score).toBe(1);
  });

  test('is 0 for a check without tests that has one more failure', () => {
    expect(addFailure(scoreReport(plainReport('types')), 'npm test exited 1')).toMatchObject({
      status: 'fail',
      score: 0,
      total: 0,
    });
  });
});

describe('the reward', () => {
  const weights: Readonly<Record<string, number>> = { tests: 0.5, types: 0.3, lint: 0.2 };
  const reward = (...reports: CheckReport[]): number =>
    rewardOf(
      weighResults(
        reports.map((report) => scoreReport(report)),
        (name) => weights[name] ?? 0,
      ),
    );

  test('is the weighted mean of the scores', () => {
    expect(reward(testReport(HALF), plainReport('types'), plainReport('lint', ['x']))).toBeCloseTo(0.55, 10);
  });

  test('is exactly 1 for a green tree with any checks', () => {
    const [tests, types, lint] = [testReport({ a: 'passed' }), plainReport('types'), plainReport('lint')];
    for (const reports of [
      [tests],
      [tests, types],
      [tests, lint],
      [tests, types, lint],
      [types, lint],
      [types],
    ]) {
      expect(reward(...reports)).toBe(1);
    }
    const odd = [0.1, 0.7, 1e-9, 3].map((weight) => ({ weight, score: 1 }));
    expect(rewardOf(odd)).toBe(1);
  });

  test('normalises the weights of the existing checks', () => {
    const results = weighResults(
      [testReport(HALF), plainReport('types')].map((it) => scoreReport(it)),
      (name) => weights[name]!,
    );
    expect(results[0]!.weight).toBeCloseTo(0.625, 10);
    expect(results[1]!.weight).toBeCloseTo(0.375, 10);
  });

  test('counts a check that skips everything as absent and one that could not run as 0', () => {
    expect(reward(testReport({ a: 'skipped' }), plainReport('types'))).toBe(1);
    expect(reward(testReport({ a: 'passed' }), { ...plainReport('lint'), status: 'error' })).toBeCloseTo(
      0.5 / 0.7,
      10,
    );
  });

  test('is 0 without checks', () => {
    expect(reward()).toBe(0);
    expect(rewardOf([{ weight: 0, score: 1 }])).toBe(0);
  });
});
