import { describe, expect, test } from 'vitest';
import { createSuite, type Suite, type SuiteOptions } from '../../src/checks/suite.ts';
import type { Check } from '../../src/ports.ts';
import type {
  CheckReport,
  CheckRequest,
  EvaluationRequest,
  TestFailure,
} from '../../src/ports/evaluation.ts';
import type { CheckPlan } from '../../src/ports/plan.ts';
import type { CheckResult, Evaluation } from '../../src/schema/generated.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';
import { checkPlan, plainReport, scriptedCheck, testReport } from './scripted-check.ts';

const TYPES = checkPlan({ name: 'types', kind: 'types', tool: 'command', args: ['tsd'] });
const TESTS = testReport({ 'a.test.js > a': 'passed', 'b.test.js > b': 'passed' });
const GREEN = { ...TESTS, duration_ms: 10_000 };

interface Change {
  /** The check, with its reports. */
  readonly plan?: CheckPlan;
  readonly before?: Partial<CheckResult>;
  readonly request?: Partial<EvaluationRequest>;
}

/** A suite of these checks for a tree. */
function suiteOf(root: string, checks: readonly Check[], over: Partial<SuiteOptions> = {}): Suite {
  return createSuite({
    plan: {
      repository: root,
      packageDir: '.',
      notes: [],
      checks: checks.map(({ plan }) => plan),
      packageManager: { name: 'npm', installCommand: 'npm ci' },
    },
    checks,
    cacheDir: temporaryFolder(),
    checkTimeoutMs: 60_000,
    ...over,
  });
}

/** What a check is asked for after a change of `a.js`: nothing, its whole, or the files named. */
async function askedAfterChange({ plan = TYPES, before, request }: Change): Promise<readonly string[]> {
  const root = temporaryFolder();
  const use = (name: string): string => `import './${name}.js';`;
  const tests = { 'a.test.js': use('a'), 'b.test.js': use('b') };
  writeFiles(root, { 'package.json': {}, 'a.js': '', 'b.js': '', ...tests });
  const report = plan.kind === 'tests' ? GREEN : plainReport('types');
  const check = scriptedCheck({ ...plan, setup: [] }, report);
  const { signal } = new AbortController();
  const suite = suiteOf(root, [{ ...check, plan }]);
  const checks = [{ ...report, weight: 1, score: 1, ...before }];
  const previous = { passed: true, checks, diagnostics: [], tests: report.tests } as unknown as Evaluation;
  const changed = [{ path: 'a.js', kind: 'modified' as const }];
  await suite.run({ root, signal, confirm: true, isOwn: true, previous, changed, ...request });
  return check.requests.map(({ files }) => files?.join(' ') ?? 'all');
}

describe('after a change of one file', () => {
  test.each<[string, Change, string[]]>([
    ['a type check that does not read it does not run', {}, []],
    ['it runs to confirm an attempt', { request: { isOwn: false } }, ['all']],
    ['it runs without caches', { request: { isUncached: true } }, ['all']],
    ['it runs behind a build', { plan: { ...TYPES, setup: ['true'] } }, ['all']],
    ['it runs where it failed', { before: { status: 'fail' } }, ['all']],
  ])('%s', async (_, change, asked) => {
    expect(await askedAfterChange(change)).toEqual(asked);
  });

  const tests = checkPlan();
  test.each<[string, Change, string[]]>([
    ['the tests that reach it run', { plan: tests }, ['a.test.js']],
    [
      'all run behind a build, which may hand it to any test',
      { plan: { ...tests, setup: ['true'] } },
      ['all'],
    ],
    ['all run where they are quick', { plan: tests, before: { duration_ms: 50 } }, ['all']],
    [
      'not where only a part of them was quick',
      { plan: tests, before: { duration_ms: 50, reused: 1 } },
      ['a.test.js'],
    ],
  ])('%s', async (_, change, asked) => {
    expect(await askedAfterChange(change)).toEqual(asked);
  });
});

describe('a test of the user’s tree that fails while other checks run', () => {
  const RED = testReport({ 'a.test.js > a': 'failed', 'b.test.js > b': 'passed' });
  const ALONE = testReport({ 'a.test.js > a': 'passed' });
  const tests = checkPlan();

  async function statusOf(
    reports: readonly CheckReport[],
    { others = [], isOwn = true }: { others?: readonly Check[]; isOwn?: boolean } = {},
  ): Promise<readonly [status: string, runs: number]> {
    const check = scriptedCheck(tests, ...reports);
    const report = await runBeside(check, others, { isOwn });
    return [report.status, check.requests.length];
  }

  async function runBeside(
    check: Check,
    others: readonly Check[],
    { isOwn = true, onTestFailed }: { isOwn?: boolean; onTestFailed?: (failure: TestFailure) => void },
  ): Promise<CheckReport> {
    const root = temporaryFolder();
    const suite = suiteOf(root, [check, ...others], { onTestFailed });
    const { signal } = new AbortController();
    const [report] = await suite.run({ root, signal, confirm: true, isOwn });
    return report!;
  }
  const others = [scriptedCheck(TYPES, plainReport('types'))];

  test('passes where it passes twice alone', async () => {
    expect(await statusOf([RED, ALONE], { others })).toEqual(['pass', 3]);
  });

  test('is announced by its first run only, once, and with four others at most', async () => {
    const failures: string[] = [];
    const onTestFailed = ({ test }: TestFailure): void => void failures.push(test);
    const check = scriptedCheck(tests, RED, ALONE);
    const run = (request: CheckRequest): Promise<CheckReport> => {
      for (const test of 'aabcdef') request.onTestFailed?.({ check: 'tests', test, message: 'no' });
      return check.run(request);
    };
    const report = await runBeside({ plan: tests, run }, others, { onTestFailed });
    expect([report.status, check.requests.length]).toEqual(['pass', 3]);
    expect(failures.join('')).toBe('abcde');
    expect(check.requests.map((request) => 'onTestFailed' in request)).toEqual([true, false, false]);
  });

  test('stays red where it fails alone', async () => {
    expect(await statusOf([RED], { others })).toEqual(['fail', 2]);
    expect(await statusOf([RED, ALONE, RED], { others })).toEqual(['fail', 3]);
  });

  test('passes alone where the files of one check ran beside each other, as those of `node --test` do', async () => {
    const check = scriptedCheck(checkPlan({ tool: 'node' }), RED, ALONE);
    expect(await runBeside(check, [], {})).toMatchObject({ status: 'pass' });
  });

  test('does not run again where nothing ran beside it, or in an attempt', async () => {
    expect(await statusOf([RED, ALONE])).toEqual(['fail', 1]);
    expect(await statusOf([RED, ALONE], { others, isOwn: false })).toEqual(['fail', 1]);
  });
});

describe('the first evaluation', () => {
  test.each([
    [true, 'skip'],
    [undefined, 'fail'],
  ])('of a linter whose script corrects files (%s) has the status %s', async (corrects, status) => {
    const lint = checkPlan({ name: 'lint', kind: 'lint', tool: 'command', args: ['xo'], corrects });
    const checks = [scriptedCheck(checkPlan(), GREEN), scriptedCheck(lint, plainReport('lint', ['a space']))];
    const suite = suiteOf(temporaryFolder(), checks);
    const { signal } = new AbortController();
    const [, report] = await suite.run({ root: temporaryFolder(), signal, confirm: false });
    expect(report!.status).toBe(status);
  });
});

test('a check whose folder an earlier tree does not have is new, and an error where it is missing otherwise', async () => {
  const root = temporaryFolder();
  writeFiles(root, { 'packages/a/package.json': {} });
  const planned = ['packages/a', 'packages/c'].map((cwd) => checkPlan({ name: cwd, cwd, setup: [] }));
  const checks = planned.map((plan) => scriptedCheck(plan, testReport({}, { name: plan.name })));
  const { signal } = new AbortController();
  const namesIn = async (isEarlier: boolean): Promise<readonly string[]> =>
    (await suiteOf(root, checks).run({ root, signal, confirm: false, isEarlier })).map(({ name }) => name);
  expect(await namesIn(true)).toEqual(['packages/a']);
  expect(await namesIn(false)).toEqual(['packages/a', 'packages/c']);
});

test('an error that a test of tap threw before is no test that vanished when it passes', async () => {
  const threw = testReport({ 'a.js > entry > no path': 'failed' });
  const thrown = threw.diagnostics.map((it) => ({
    ...it,
    type: 'runtime_error' as const,
    message: 'Error: no path',
  }));
  const now = testReport({ 'a.js > entry > equal': 'passed' });
  const missingAfter = async (diagnostics: Evaluation['diagnostics']): Promise<readonly string[]> => {
    const root = temporaryFolder();
    const check = scriptedCheck(checkPlan(), now);
    const suite = suiteOf(root, [check]);
    const { signal } = new AbortController();
    const baseline = {
      passed: false,
      checks: [{ ...threw, weight: 1, score: 0 }],
      diagnostics,
      tests: threw.tests,
    };
    const request = { root, signal, confirm: true, baseline: baseline as unknown as Evaluation };
    const [scored] = await suite.run(request);
    return scored!.missing;
  };
  expect(await missingAfter(thrown)).toEqual([]);
  expect(await missingAfter(threw.diagnostics)).toEqual(threw.tests.map(({ id }) => id));
});
