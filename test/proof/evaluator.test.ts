import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectProject } from '../../src/checks/detect/index.ts';
import { createCheck } from '../../src/tools.ts';
import { withoutSetup } from '../../src/checks/run/setup.ts';
import { createBench } from '../../src/checks/bench.ts';
import { createEvaluator, type EvaluatorOptions } from '../../src/proof/evaluator.ts';
import type { Sandbox } from '../../src/platform/sandbox/sandbox.ts';
import type { Check } from '../../src/ports.ts';
import type { EvaluationRequest } from '../../src/ports/evaluation.ts';
import type { CheckPlan, CommandStep, ProjectPlan } from '../../src/ports/plan.ts';
import type { Evaluation } from '../../src/schema/generated.ts';
import { validate } from '../../src/schema/validate.ts';
import { linkModules, temporaryFolder, writeFiles, type Files } from '../support/repositories.ts';
import {
  checkPlan,
  plainReport,
  scriptedCheck,
  testReport,
  type Outcomes,
} from '../checks/scripted-check.ts';

interface Setting {
  readonly root: string;
  readonly options: EvaluatorOptions;
  evaluate(request?: Partial<EvaluationRequest>): Promise<Evaluation>;
}

function setting(
  checks: readonly Check[],
  over: Partial<EvaluatorOptions> & { readonly project?: Partial<ProjectPlan>; readonly files?: Files } = {},
): Setting {
  const root = temporaryFolder();
  writeFiles(root, over.files ?? {});
  const plan: ProjectPlan = {
    repository: root,
    packageDir: '.',
    packageManager: { name: 'npm', installCommand: 'npm ci' },
    checks: checks.map((check) => check.plan),
    notes: [],
    ...over.project,
  };
  const base = { plan, checks, cacheDir: temporaryFolder(), checkTimeoutMs: 60_000, noRegressions: false };
  const options: EvaluatorOptions = { ...base, ...over };
  const { signal } = new AbortController();
  return {
    root,
    options,
    evaluate: (request) => createEvaluator(options).evaluate({ root, confirm: false, signal, ...request }),
  };
}

const TYPES = checkPlan({ name: 'types', kind: 'types', tool: 'tsc', weight: 0.3 });
const LINT = checkPlan({ name: 'lint', kind: 'lint', tool: 'eslint', weight: 0.2 });

/** A test check that gives these outcomes, run by run. */
function tests(...runs: readonly Outcomes[]): ReturnType<typeof scriptedCheck> {
  return scriptedCheck(checkPlan(), ...runs.map((run) => testReport(run)));
}

describe('an evaluation', () => {
  test('combines all checks and fits its schema', async () => {
    const lint = scriptedCheck(LINT, plainReport('lint', ['no-undef']));
    const types = scriptedCheck(TYPES, plainReport('types'));
    const seen = await setting([tests({ a: 'passed', b: 'failed' }), types, lint]).evaluate();
    expect(validate('evaluation', seen)).toMatchObject({ ok: true });
    expect(seen).toMatchObject({
      passed: false,
      verification_type: 'combined',
      missing_tests: [],
      metrics: {
        tests_passed: 1,
        tests_failed: 1,
        tests_total: 2,
        type_errors: 0,
        lint_errors: 1,
        lint_warnings: 0,
      },
    });
    expect(seen.reward).toBeCloseTo(0.5 * 0.5 + 0.3, 10);
    expect(seen.checks.map((check) => [check.name, check.score])).toEqual([
      ['tests', 0.5],
      ['types', 1],
      ['lint', 0],
    ]);
    expect(seen.diagnostics).toHaveLength(2);
  });

  test('passes a green tree with skipped tests, with reward 1', async () => {
    const types = scriptedCheck(TYPES, plainReport('types'));
    const seen = await setting([tests({ a: 'passed', b: 'skipped' }), types]).evaluate();
    expect(seen).toMatchObject({ passed: true, reward: 1 });
  });

  test('does not pass where one check could not run', async () => {
    const lint = scriptedCheck(LINT, { ...plainReport('lint'), status: 'error' });
    const seen = await setting([tests({ a: 'passed' }), lint]).evaluate();
    expect(seen).toMatchObject({ passed: false, checks: [{}, { status: 'error', score: 0 }] });
  });

  test('does not pass where every test is skipped', async () => {
    expect(await setting([tests({ a: 'skipped' })]).evaluate()).toMatchObject({ passed: false, reward: 0 });
  });

  test('runs its checks in parallel', async () => {
    let meet = (): void => {};
    const met = new Promise<void>((resolve) => (meet = resolve));
    const waiting: Check = { plan: checkPlan(), run: () => met.then(() => testReport({ a: 'passed' })) };
    const calling: Check = {
      plan: TYPES,
      run() {
        meet();
        return Promise.resolve(plainReport('types'));
      },
    };
    expect((await setting([waiting, calling]).evaluate()).passed).toBe(true);
  });

  test('reports each check as it ends', async () => {
    const reported: string[] = [];
    const checks = [tests({ a: 'passed' }), scriptedCheck(TYPES, plainReport('types'))];
    await setting(checks, { onCheckDone: (report) => reported.push(report.name) }).evaluate();
    expect(reported.sort()).toEqual(['tests', 'types']);
  });

  test('reports that a check could not run where it rejects', async () => {
    const broken: Check = { plan: TYPES, run: () => Promise.reject(new Error('disk full')) };
    const seen = await setting([tests({ a: 'passed' }), broken]).evaluate();
    expect(seen.checks[1]).toMatchObject({
      status: 'error',
      detail: expect.stringContaining('disk full') as string,
    });
  });

  test('runs without caches only to confirm', async () => {
    const check = tests({ a: 'passed' });
    const { evaluate } = setting([check]);
    await evaluate();
    await evaluate({ confirm: true });
    expect(check.requests.map((request) => request.fresh)).toEqual([false, true]);
  });

  test.each([
    [
      'the same tree was green: only what has a cache runs again',
      { fast: 'a', then: 'a', command: true },
      1,
      2,
    ],
    ['another tree was green', { fast: 'a', then: 'b', command: true }, 2, 2],
    ['no test command would run the tests again', { fast: 'a', then: 'a', command: false }, 2, 2],
  ] as const)('confirms, where %s', async (_, { fast, then, command }, testRuns, typeRuns) => {
    const check = tests({ a: 'passed' });
    const types = scriptedCheck(TYPES, plainReport('types'));
    const project = command ? { testCommand: { command: 'true', cwd: '.' } } : {};
    const { root, options } = setting([check, types], { project });
    const evaluator = createEvaluator(options);
    const { signal } = new AbortController();
    await evaluator.evaluate({ root, tree: fast, confirm: false, signal });
    const confirmed = await evaluator.evaluate({ root, tree: then, confirm: true, signal });
    expect(confirmed).toMatchObject({ passed: true, reward: 1, metrics: { tests_passed: 1 } });
    expect([check.requests.length, types.requests.length]).toEqual([testRuns, typeRuns]);
  });

  test('compares failures with the previous evaluation', async () => {
    const { evaluate } = setting([
      tests({ a: 'failed', b: 'failed', gone: 'failed' }, { a: 'failed', b: 'passed', c: 'failed' }),
    ]);
    const previous = await evaluate();
    const { delta } = await evaluate({ previous });
    const { fixed, same, unseen, new: fresh } = delta;
    expect([fixed, same, fresh, unseen].map((list) => list?.length)).toEqual([1, 1, 1, 1]);
  });

  test.each<[CheckPlan[], string, string]>([
    [[checkPlan()], 'test/a.test.ts', 'unit_tests'],
    [[checkPlan()], 'test/e2e/a.test.ts', 'integration_tests'],
    [[TYPES], '', 'type_check'],
    [[LINT], '', 'lint'],
    [[checkPlan({ name: 'smoke', kind: 'command', tool: 'command' })], '', 'heuristic'],
    [[checkPlan(), LINT], 'test/a.test.ts', 'combined'],
  ])('names its type of verification (%#)', async (plans, file, expected) => {
    const outcomes: Outcomes = file === '' ? {} : { [`${file} > x`]: 'passed' };
    const checks = plans.map((plan) =>
      scriptedCheck(plan, testReport(plan.kind === 'tests' ? outcomes : {})),
    );
    expect((await setting(checks).evaluate()).verification_type).toBe(expected);
  });
});

describe('compared with the baseline', () => {
  test('does not pass where a test was deleted', async () => {
    const { evaluate } = setting([tests({ a: 'passed', b: 'failed' }, { a: 'passed' })]);
    const baseline = await evaluate();
    const seen = await evaluate({ baseline });
    expect(seen).toMatchObject({ passed: false, reward: 0.5, missing_tests: ['a.test.ts > b'] });
  });

  test('distinguishes tests of several checks with the same name', async () => {
    const second = scriptedCheck(
      checkPlan({ name: 'tests-2' }),
      testReport({ a: 'failed' }),
      testReport({ a: 'passed' }),
      testReport({}),
    );
    const { evaluate } = setting([tests({ a: 'passed' }), second]);
    const baseline = await evaluate();
    expect(baseline.tests.map((it) => it.id)).toEqual(['a.test.ts > a', 'tests-2: a.test.ts > a']);
    expect(baseline.diagnostics[0]?.test_id).toBe('tests-2: a.test.ts > a');
    expect(await evaluate({ baseline })).toMatchObject({ passed: true, reward: 1 });
    expect(await evaluate({ baseline })).toMatchObject({
      passed: false,
      missing_tests: ['tests-2: a.test.ts > a'],
    });
  });
});

describe('before a result is accepted', () => {
  const GREEN: Outcomes = { a: 'passed' };
  const command = (line: string) => ({ project: { testCommand: { command: line, cwd: '.' } } });

  test("the repository's own test command must pass", async () => {
    const { evaluate } = setting([tests(GREEN)], command('test -z "$RALPH_LOOP_ID"'));
    expect(await evaluate({ confirm: true })).toMatchObject({ passed: true, reward: 1 });
  });

  test('a failing test command lowers the score as one more failed test would', async () => {
    const { evaluate } = setting(
      [tests({ a: 'passed', b: 'passed' })],
      command('echo coverage too low; exit 3'),
    );
    const seen = await evaluate({ confirm: true });
    expect(validate('evaluation', seen)).toMatchObject({ ok: true });
    expect(seen).toMatchObject({
      passed: false,
      reward: 2 / 3,
      checks: [{ status: 'fail', failed: 0, total: 2, errors: 1 }],
    });
    expect(seen.checks[0]!.detail).toContain('exited 3');
    expect(seen.diagnostics[0]).toMatchObject({
      check: 'tests',
      message: expect.stringContaining('coverage too low') as string,
    });
  });

  test('confirms a change without the files that the checks write', async () => {
    const { evaluate, options } = setting([tests({ a: 'failed' }, { a: 'passed' })], {
      project: { testCommand: { command: 'test ! -e dist.js', cwd: '.' } },
    });
    const baseline = await evaluate();
    const [tree, opened] = ['b'.repeat(40), [] as unknown[]];
    const { repository } = options.plan;
    const evaluator = createEvaluator({
      ...options,
      pristine: (...asked) => {
        opened.push(asked);
        return Promise.resolve({ root: temporaryFolder(), repository, close: async () => {} });
      },
    });
    const { signal } = new AbortController();
    const wrote = { ...baseline, written_files: ['dist.js'] };
    const asked = { root: repository, tree, baseline: wrote, confirm: true, refused: [], signal };
    expect((await evaluator.evaluate(asked)).passed).toBe(true);
    expect(opened).toEqual([[tree, ['dist.js']]]);
  });

  test.each([
    ['none for a tree that fails', 'failed', 0],
    ['two for one that passes', 'passed', 2],
  ] as const)('makes checkouts of a change: %s', async (_, status, count) => {
    const { evaluate, options } = setting([tests({ a: 'failed' }, { a: status })], {
      project: { testCommand: { command: 'true', cwd: '.' } },
    });
    const baseline = await evaluate();
    let opened = 0;
    const sandbox: Sandbox = {
      engine: 'bubblewrap',
      allowing: () => sandbox,
      enclose: (call) => Promise.resolve(call),
      failureIn: () => undefined,
    };
    const { repository } = options.plan;
    const evaluator = createEvaluator({
      ...{ ...options, sandbox, areApart: true },
      pristine: () => {
        opened++;
        return Promise.resolve({ root: temporaryFolder(), repository, sandbox, close: async () => {} });
      },
    });
    const { signal } = new AbortController();
    const asked = { root: repository, tree: 'b'.repeat(40), baseline, confirm: true, refused: [], signal };
    expect((await evaluator.evaluate(asked)).passed).toBe(status === 'passed');
    expect(opened).toBe(count);
  });

  test.each([
    ['by chance', (folder: string) => `${folder}/ran`, true],
    ['each time in a new checkout', () => 'ran', false],
  ])('judges a test command that fails %s, where all was green before', async (_, fileIn, passes) => {
    const file = fileIn(temporaryFolder());
    const command = `test -e ${file} || { touch ${file}; exit 1; }`;
    const { evaluate, options } = setting([tests({ a: 'passed' }, { a: 'passed' })], {
      project: { testCommand: { command, cwd: '.' } },
    });
    const baseline = await evaluate();
    expect(baseline.passed).toBe(true);
    const { repository } = options.plan;
    const evaluator = createEvaluator({
      ...options,
      mayStandStill: true,
      pristine: () => Promise.resolve({ root: temporaryFolder(), repository, close: async () => {} }),
    });
    const { signal } = new AbortController();
    const asked = { root: repository, tree: 'b'.repeat(40), baseTree: 'a'.repeat(40), baseline, signal };
    const { passed } = await evaluator.evaluate({ ...asked, confirm: true, refused: [] });
    expect(passed).toBe(passes);
  });

  test.each(['judge', 'no-judge'])('finds the installed program of a command check: %s', async (program) => {
    const plan = checkPlan({ tool: 'command', args: [program] });
    const reports = ([{ a: 'failed' }, { a: 'passed' }] as const).map((outcomes) => testReport(outcomes));
    const { evaluate, options } = setting([scriptedCheck(plan, ...reports)]);
    const baseline = await evaluate();
    const { repository } = options.plan;
    const root = temporaryFolder();
    writeFiles(root, { 'node_modules/.bin/judge': '#!/bin/sh\n' });
    chmodSync(join(root, 'node_modules/.bin/judge'), 0o755);
    const evaluator = createEvaluator({
      ...options,
      pristine: () => Promise.resolve({ root, repository, close: async () => {} }),
    });
    const { signal } = new AbortController();
    const asked = { root: repository, tree: 'b'.repeat(40), baseline, confirm: true, refused: [], signal };
    expect((await evaluator.evaluate(asked)).passed).toBe(program === 'judge');
  });

  describe('of a test script that fails on the untouched tree', () => {
    const base = 'a'.repeat(40);
    const tree = 'b'.repeat(40);
    /** Confirms a change with `steps` behind the tests; `touched` is a file that only the checkout of the change has. */
    async function confirm(steps: readonly CommandStep[], { baseTree }: { baseTree?: string } = {}) {
      const lint = scriptedCheck(LINT, plainReport('lint', ['x']));
      const testCommand = { command: steps.map(({ command: line }) => line).join(' && '), cwd: '.', steps };
      const { evaluate, options } = setting([tests({ a: 'failed' }, { a: 'passed' }), lint], {
        project: { testCommand },
      });
      const baseline = await evaluate();
      const checks = baseline.checks.map((it) =>
        it.name === 'lint' ? { ...it, status: 'skip' as const } : it,
      );
      const places = { [base]: temporaryFolder(), [tree]: temporaryFolder() };
      writeFiles(places[tree]!, { changed: '' });
      const evaluator = createEvaluator({
        ...options,
        pristine: (id) =>
          Promise.resolve({ root: places[id]!, repository: options.plan.repository, close: async () => {} }),
      });
      return evaluator.evaluate({
        root: options.plan.repository,
        tree,
        baseTree,
        baseline: { ...baseline, checks },
        confirm: true,
        refused: [],
        signal: new AbortController().signal,
      });
    }
    const TESTS: CommandStep = { command: 'true', cwd: '.', check: 'tests' };

    test.each<[string, CommandStep]>([
      ['a check that is set aside', { command: 'false', cwd: '.', check: 'lint' }],
      ['a command that no check runs', { command: 'echo too large; exit 1', cwd: '.' }],
    ])('leaves out %s and says so', async (_, step) => {
      const seen = await confirm([TESTS, step], { baseTree: base });
      expect(seen.checks[0]).toMatchObject({ status: 'pass' });
      expect(seen.diagnostics.find(({ rule }) => rule === 'partly-confirmed')!.message).toContain(
        `without \`${step.command}\`, which fails on the untouched tree too`,
      );
    });

    test.each<[string, CommandStep, string | undefined]>([
      ['it passes on the untouched tree', { command: 'test ! -e changed', cwd: '.' }, base],
      ['it fails there in another way', { command: 'ls; exit 1', cwd: '.' }, base],
      ['the untouched tree is not known', { command: 'exit 1', cwd: '.' }, undefined],
      ['the tests themselves fail', { command: 'exit 1', cwd: '.', check: 'tests' }, base],
    ])('is red where %s', async (_, step, baseTree) => {
      const seen = await confirm([TESTS, step], { baseTree });
      expect(seen.checks[0]).toMatchObject({ status: 'fail', errors: 1 });
    });
  });

  test("the test command runs for the user's own tree only where it may do more than the checks", async () => {
    const confirmed = async (isOwn: boolean, ...left: string[]): Promise<boolean> => {
      const more = left.map((command) => ({
        command,
        cwd: '.',
        ...(command === 'tests' && { check: 'tests' }),
      }));
      const testCommand = { command: 'exit 3', cwd: '.', ...(left.length > 0 && { observedSteps: more }) };
      const { evaluate } = setting([tests(GREEN)], { project: { testCommand } });
      return (await evaluate({ confirm: true, isOwn })).passed;
    };
    expect(await confirmed(true, 'tests')).toBe(true);
    expect(await confirmed(true, 'tests', 'exit 4')).toBe(false);
    expect(await confirmed(true)).toBe(false);
    expect(await confirmed(false, 'tests')).toBe(false);
  });

  test('the test command runs only to confirm a green tree', async () => {
    const line = 'touch ran';
    const early = setting([tests(GREEN)], command(line));
    await early.evaluate();
    expect(existsSync(join(early.root, 'ran'))).toBe(false);
    const red = setting([tests({ a: 'failed' })], command(line));
    await red.evaluate({ confirm: true });
    expect(existsSync(join(red.root, 'ran'))).toBe(false);
  });

  test('a check that is the test command itself runs only once', async () => {
    const plan = checkPlan({ tool: 'command', args: ['npm test'] });
    const { evaluate } = setting([scriptedCheck(plan, testReport({}))], command('npm test'));
    expect(await evaluate({ confirm: true })).toMatchObject({ passed: true, reward: 1 });
  });
});

describe('with --no-regressions', () => {
  async function accepts(before: readonly Check[], over: Partial<EvaluationRequest> = {}): Promise<boolean> {
    const { evaluate } = setting(before, { noRegressions: true });
    const baseline = await evaluate();
    return (await evaluate({ baseline, ...over })).passed;
  }
  const two = (first: Outcomes, then: Outcomes): Check[] => [tests(first, then)];

  test.each<[string, Outcomes, Outcomes, boolean]>([
    ['one of two failures fixed', { a: 'failed', b: 'failed' }, { a: 'passed', b: 'failed' }, true],
    ['everything fixed', { a: 'failed' }, { a: 'passed' }, true],
    ['nothing fixed', { a: 'failed', b: 'failed' }, { a: 'failed', b: 'failed' }, false],
    ['one fixed, another broken', { a: 'failed', b: 'passed' }, { a: 'passed', b: 'failed' }, false],
    [
      'one fixed, a new test failing',
      { a: 'failed', b: 'failed' },
      { a: 'passed', b: 'failed', c: 'failed' },
      false,
    ],
    ['one deleted', { a: 'failed', b: 'failed' }, { a: 'failed' }, false],
    ['one fixed, another deleted', { a: 'failed', b: 'failed' }, { a: 'passed' }, false],
    [
      'a file loads again, with a test that fails',
      { 'f > (file)': 'failed' },
      { 'f > x': 'passed', 'f > y': 'failed' },
      true,
    ],
  ])('%s: %s → %s is %s', async (_, before, after, expected) => {
    expect(await accepts(two(before, after))).toBe(expected);
  });

  test('a check may keep its errors and may not get more', async () => {
    const lint = (...messages: string[]) => plainReport('lint', messages);
    const fixed: Outcomes[] = [{ a: 'failed' }, { a: 'passed' }];
    const withLint = (before: string[], after: string[]) =>
      accepts([tests(...fixed), scriptedCheck(LINT, lint(...before), lint(...after))]);
    expect(await withLint(['x'], ['x'])).toBe(true);
    expect(await withLint(['x', 'y'], ['x'])).toBe(true);
    expect(await withLint(['x'], ['x', 'x'])).toBe(false);
    expect(await withLint(['x'], ['y'])).toBe(false);
    expect(await withLint([], ['x'])).toBe(false);
  });

  test('rejects a tree with a check that can no longer run', async () => {
    const gone = { ...plainReport('lint'), status: 'error' } as const;
    const lint = scriptedCheck(LINT, plainReport('lint', ['x']), gone);
    expect(await accepts([tests({ a: 'failed' }, { a: 'passed' }), lint])).toBe(false);
  });

  test('rejects a tree with a check that could not run before either', async () => {
    const lint = scriptedCheck(LINT, { ...plainReport('lint'), status: 'error' });
    expect(await accepts([tests({ a: 'failed' }, { a: 'passed' }), lint])).toBe(false);
  });

  test('rejects more errors of a check, even unlisted ones', async () => {
    const more = { ...plainReport('lint', ['x']), errors: 900 };
    const lint = scriptedCheck(LINT, plainReport('lint', ['x']), more);
    expect(await accepts([tests({ a: 'failed' }, { a: 'passed' }), lint])).toBe(false);
  });

  test('without the flag, failures of the baseline are not accepted', async () => {
    const { evaluate } = setting(two({ a: 'failed', b: 'failed' }, { a: 'passed', b: 'failed' }));
    expect((await evaluate({ baseline: await evaluate() })).passed).toBe(false);
  });
});

describe('flaky tests', () => {
  const BEFORE: Outcomes = { a: 'passed', b: 'passed' };
  const BROKEN: Outcomes = { a: 'failed', b: 'passed' };

  async function second(...runs: readonly Outcomes[]) {
    const check = tests(BEFORE, ...runs);
    const { evaluate } = setting([check]);
    const baseline = await evaluate();
    return { seen: await evaluate({ baseline, previous: baseline }), check };
  }

  test('a test that passes only once when it runs again stays failed, and its failure says so', async () => {
    const { seen } = await second(BROKEN, { a: 'passed' }, { a: 'failed' });
    expect(seen.passed).toBe(false);
    expect(seen.diagnostics[0]!.message).toMatch(/passed when run again, and failed after that/);
    const { seen: steady } = await second(BROKEN, { a: 'failed' });
    expect(steady.diagnostics[0]!.message).not.toMatch(/run again/);
  });

  test('a failed test that passed before runs again, and counts as passed when it passes twice', async () => {
    const { seen, check } = await second(BROKEN, { a: 'passed' }, { a: 'passed' });
    expect(seen).toMatchObject({ passed: true, reward: 1, diagnostics: [] });
    expect(seen.checks[0]!.detail).toContain('Flaky, passed twice when run again: a.test.ts > a');
    expect(check.requests.slice(2).map((request) => request.only?.map((it) => it.name))).toEqual([
      ['a'],
      ['a'],
    ]);
  });

  test('a test that passes only one of two reruns has failed', async () => {
    const { seen } = await second(BROKEN, { a: 'passed' }, { a: 'failed' });
    expect(seen).toMatchObject({ passed: false, reward: 0.5 });
  });

  test('a test that failed before does not run again, nor do more than five failures', async () => {
    const check = tests({ a: 'failed' });
    const { evaluate } = setting([check]);
    const previous = await evaluate();
    await evaluate({ previous });
    expect(check.requests).toHaveLength(2);
    const names = Array.from({ length: 6 }, (_, index) => `t${index}`);
    const all = (status: 'passed' | 'failed'): Outcomes =>
      Object.fromEntries(names.map((name) => [name, status]));
    const many = tests(all('passed'), all('failed'));
    const other = setting([many]);
    await other.evaluate({ previous: await other.evaluate() });
    expect(many.requests).toHaveLength(2);
  });

  test('a test runs again in a confirmation if it may be flaky and passed in the baseline', async () => {
    const check = tests(BEFORE, BROKEN, { a: 'passed' }, { a: 'passed' });
    const { evaluate } = setting([check]);
    const baseline = await evaluate();
    const previous = { ...baseline, tests: [] };
    const seen = await evaluate({ baseline, previous, confirm: true, mayBeFlaky: true });
    expect(seen.checks[0]!.detail).toContain('Flaky, passed twice when run again: a.test.ts > a');
    expect(check.requests).toHaveLength(4);
  });

  test('no test runs again in a confirmation', async () => {
    const check = tests(BEFORE, BROKEN, { a: 'passed' });
    const { evaluate } = setting([check]);
    const previous = await evaluate();
    expect((await evaluate({ previous, confirm: true })).passed).toBe(false);
    expect(check.requests).toHaveLength(2);
  });
});

describe('setup', () => {
  const shared = (name: string, setup: readonly string[]): Check =>
    scriptedCheck(withoutSetup(checkPlan({ name, setup })), testReport({ [name]: 'passed' }));
  const plans = (...setups: readonly (readonly string[])[]) =>
    setups.map((setup, index) => checkPlan({ name: `t${index}`, setup }));

  test('that several checks share runs once, before the checks', async () => {
    const { root, evaluate } = setting([shared('t0', []), shared('t1', [])], {
      project: { checks: plans(['echo build >> log'], ['echo build >> log', 'echo more >> log']) },
    });
    expect((await evaluate()).passed).toBe(true);
    expect(readFileSync(join(root, 'log'), 'utf8')).toBe('build\nmore\n');
  });

  test('that fails makes only the checks that need it fail', async () => {
    const failing = 'echo "src/a.ts(1,7): error TS2322: wrong"; exit 2';
    const { evaluate } = setting([shared('t0', []), shared('t1', []), shared('t2', [])], {
      project: { checks: plans([failing], [failing], []) },
      files: { 'src/a.ts': '' },
    });
    const seen = await evaluate();
    expect(seen.checks.map((check) => [check.name, check.status])).toEqual([
      ['t0', 'fail'],
      ['t1', 'fail'],
      ['t2', 'pass'],
    ]);
    expect(seen.diagnostics[0]).toMatchObject({ check: 't0', file: 'src/a.ts', rule: 'TS2322' });
  });

  test('runs before every run of the bench', async () => {
    const { root, options } = setting([shared('t0', [])], {
      project: { checks: plans(['echo build >> log']) },
    });
    const bench = createBench({ ...options, root });
    const { signal } = new AbortController();
    await bench.run('t0', { signal });
    await bench.run('t0', { signal });
    expect(readFileSync(join(root, 'log'), 'utf8')).toBe('build\nbuild\n');
  });
});

describe('the bench', () => {
  test('runs selected tests, by their ids of the evaluation', async () => {
    const second = scriptedCheck(checkPlan({ name: 'tests-2' }), testReport({ a: 'passed' }));
    const { root, options, evaluate } = setting([tests({ a: 'passed' }), second]);
    const { tests: all } = await evaluate();
    const { signal } = new AbortController();
    const report = await createBench({ ...options, root }).run('tests-2', {
      only: all,
      files: ['a.test.ts'],
      timeoutMs: 5,
      signal,
    });
    expect(second.requests.at(-1)).toMatchObject({
      timeoutMs: 5,
      files: ['a.test.ts'],
      only: [{ id: 'a.test.ts > a' }],
    });
    expect(report.tests.map((it) => it.id)).toEqual(['tests-2: a.test.ts > a']);
  });

  test('rejects a check that the plan does not have', async () => {
    const { root, options } = setting([tests({ a: 'passed' })]);
    const { signal } = new AbortController();
    await expect(createBench({ ...options, root }).run('nope', { signal })).rejects.toThrow(
      'no check called nope',
    );
  });
});

describe('with real tools', () => {
  const FILES: Files = {
    'package.json': {
      type: 'module',
      scripts: {
        pretest: 'node build.js',
        test: 'vitest run --coverage=false',
        types: 'tsc',
        lint: 'eslint .',
      },
    },
    'build.js':
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('built.js', 'export const two = 2;\\n');\n",
    'src/add.ts': 'export function add(a: number, b: number): number {\n  return a - b;\n}\n',
    'src/add.test.ts':
      "import { expect, test } from 'vitest';\nimport { add } from './add.ts';\nimport { two } from '../built.js';\n" +
      "test('adds', () => expect(add(1, two)).toBe(3));\ntest('adds nothing', () => expect(add(1, 0)).toBe(1));\ntest.skip('later', () => {});\n",
    'tsconfig.json': {
      compilerOptions: {
        strict: true,
        noEmit: true,
        allowJs: true,
        module: 'nodenext',
        allowImportingTsExtensions: true,
        skipLibCheck: true,
        types: [],
      },
      include: ['src', 'built.js'],
    },
    'eslint.config.js': "export default [{ files: ['**/*.js'], rules: { 'no-undef': 'error' } }];\n",
  };

  test('detects a repository, evaluates it as red, and confirms its fix with reward 1', async () => {
    const root = temporaryFolder();
    writeFiles(root, FILES);
    linkModules(root, ['vitest', 'typescript', 'eslint', '.bin']);
    const plan = await detectProject({ root, packageDir: '.', config: {} });
    expect(plan.checks.map((check) => check.tool)).toEqual(['vitest', 'tsc', 'eslint']);
    const checks = plan.checks.map((check) => createCheck(withoutSetup(check)));
    const options = {
      plan,
      checks,
      cacheDir: temporaryFolder(),
      checkTimeoutMs: 60_000,
      noRegressions: false,
    };
    const evaluator = createEvaluator(options);
    const { signal } = new AbortController();

    const baseline = await evaluator.evaluate({ root, confirm: false, signal });
    expect(baseline).toMatchObject({
      passed: false,
      missing_tests: [],
      checks: [
        { name: 'tests', status: 'fail', passed: 1, failed: 1, skipped: 1, total: 2, score: 0.5 },
        { name: 'types', status: 'pass', score: 1 },
        { name: 'lint', status: 'pass', score: 1 },
      ],
    });
    expect(baseline.reward).toBeCloseTo(0.75, 10);

    writeFiles(root, { 'src/add.ts': (FILES['src/add.ts'] as string).replace('a - b', 'a + b') });
    const confirmed = await evaluator.evaluate({ root, baseline, previous: baseline, confirm: true, signal });
    expect(confirmed).toMatchObject({ passed: true, reward: 1, missing_tests: [], diagnostics: [] });
    expect(confirmed.delta.fixed).toHaveLength(1);
    expect(validate('evaluation', confirmed)).toMatchObject({ ok: true });
  });
});
