/** What every test runner's check must hold to; each runner says how its tests are written. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CheckReport, TestFailure } from '../../src/ports/evaluation.ts';
import type { CheckPlan } from '../../src/ports/plan.ts';
import type { TestCase } from '../../src/schema/generated.ts';
import { planFor, runCheckIn, statusesOf } from './checks.ts';
import { linkModules, temporaryFolder, writeFiles, type Files } from './repositories.ts';

export interface Dialect {
  readonly tool: CheckPlan['tool'];
  /** Packages that the repository depends on. */
  readonly modules: readonly string[];
  /** Folder and ending of test files, so that the runner finds them: `test/NAME.test.js`. */
  readonly testFile: (name: string) => string;
  /** First lines of a test file; `add` and `fail` come from `src/add.js`. */
  readonly header: string;
  readonly test: (name: string, body: string, mark?: 'skip' | 'todo' | 'only') => string;
  /** An assertion, `received` first. */
  readonly equal: (received: string, expected: string) => string;
  readonly files?: Files;
  readonly plan?: Partial<CheckPlan>;
  /** A file that does not load takes the whole run with it. */
  readonly loadsAllOrNothing?: boolean;
  /** Two tests of one file may have the same name. */
  readonly allowsDuplicates?: boolean;
}

/** A killed process that nobody has waited for yet runs no more. */
function isRunning(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

const SOURCE = `
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
export const add = (a, b) => a + b;
export const fail = (value) => value.missing.property;
export const leave = () => process.exit(0);
export const flood = () => { for (let n = 0; n < 400; n++) console.log('x'.repeat(50_000)); };
export const hang = (file) => {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  writeFileSync(file, String(child.pid));
  return new Promise(() => setInterval(() => {}, 1000));
};
`;

/** Runs the contract over one runner. */
export function describeTestRunner(dialect: Dialect): void {
  const { tool, test, equal, testFile } = dialect;
  const run = (root: string, request = {}): Promise<CheckReport> =>
    runCheckIn(root, planFor(tool, dialect.plan), request);
  const repository = (tests: Readonly<Record<string, string>>): string => {
    const root = temporaryFolder();
    const named = Object.entries(tests).map(([name, text]) => [
      testFile(name),
      `${dialect.header}\n${text}\n`,
    ]);
    writeFiles(root, {
      'package.json': { name: 'sample', private: true, type: 'module' },
      'src/add.js': SOURCE,
      ...dialect.files,
      ...Object.fromEntries(named),
    });
    linkModules(root, dialect.modules);
    return root;
  };
  const id = (file: string, name: string): string => `${testFile(file)} > ${name}`;

  describe(`the ${tool} check`, () => {
    it('passes a green repository and counts neither skipped nor planned tests', async () => {
      const tests = [
        test('adds', equal('add(1, 2)', '3')),
        test('waits', '', 'skip'),
        test('later', '', 'todo'),
      ];
      const report = await run(repository({ a: tests.join('\n') }));
      expect(report).toMatchObject({
        status: 'pass',
        passed: 1,
        failed: 0,
        skipped: 2,
        total: 1,
        exit_code: 0,
      });
      expect(report.diagnostics).toEqual([]);
      expect(statusesOf(report)).toEqual({
        [id('a', 'adds')]: 'passed',
        [id('a', 'waits')]: 'skipped',
        [id('a', 'later')]: 'skipped',
      });
    });

    it('tells failed assertions from errors of the code, with values and the innermost place', async () => {
      const root = repository({
        a: [
          test('adds', equal('add(1, 2)', '4')),
          test('joins', equal(`add('a', 'b')`, `'xy'`)),
          test('reads', 'fail({});'),
        ].join('\n'),
      });
      const report = await run(root);
      expect(report).toMatchObject({ status: 'fail', passed: 0, failed: 3, total: 3, errors: 3 });
      expect(report.exit_code).not.toBe(0);
      const [adds, joins, reads] = report.diagnostics;
      expect(adds).toMatchObject({
        type: 'test_failure',
        file: testFile('a'),
        rule: 'adds',
        test_id: id('a', 'adds'),
      });
      expect(adds).toMatchObject({ expected: '4', received: '3' });
      expect([joins!.expected, joins!.received].map((text) => text!.replaceAll("'", '"'))).toEqual([
        '"xy"',
        '"ab"',
      ]);
      expect(reads).toMatchObject({
        type: 'runtime_error',
        file: 'src/add.js',
        line: 5,
        test_id: id('a', 'reads'),
      });
      expect(reads!.message).toContain('TypeError');
      expect(reads!.frames!.map(({ file }) => file)).toEqual(['src/add.js', testFile('a')]);
      expect(JSON.stringify(report.diagnostics)).not.toContain(root);
    });

    it('gives the same report whether colours are forced or forbidden', async () => {
      const root = repository({ a: test('adds', equal('add(1, 2)', '4')) });
      const runWith = async (forced: string | undefined, forbidden: string | undefined): Promise<unknown> => {
        vi.stubEnv('FORCE_COLOR', forced);
        vi.stubEnv('NO_COLOR', forbidden);
        const { tests, diagnostics, status } = await run(root);
        return { status, tests: tests.map((it) => [it.id, it.status]), diagnostics };
      };
      try {
        expect(await runWith('1', undefined)).toEqual(await runWith(undefined, '1'));
      } finally {
        vi.unstubAllEnvs();
      }
    });

    it('fails for a file that imports what is not there', async () => {
      const root = repository({ a: test('adds', equal('add(1, 2)', '3')), b: `import '../src/gone.js';` });
      const report = await run(root);
      expect(report.status).toBe('fail');
      const broken = report.diagnostics.find(({ file }) => file === testFile('b'));
      expect(broken).toMatchObject({ type: 'runtime_error', rule: '(file)' });
      expect(broken!.message).toContain('gone.js');
      if (dialect.loadsAllOrNothing) return expect(report.tests).toEqual([]);
      expect(statusesOf(report)).toEqual({ [id('a', 'adds')]: 'passed', [id('b', '(file)')]: 'failed' });
      expect(report).toMatchObject({ passed: 1, failed: 1, total: 2 });
    });

    it('calls a file that does not parse a syntax error', async () => {
      const report = await run(repository({ a: test('adds', equal('add(1, 2)', '3')), b: 'const x = ;' }));
      expect(report.status).toBe('fail');
      const broken = report.diagnostics.find(({ type }) => type === 'syntax_error');
      expect(broken).toMatchObject({ file: testFile('b'), rule: '(file)' });
    });

    it('leaves what `only` puts aside as skipped', async () => {
      // In CI vitest refuses `only` altogether.
      vi.stubEnv('CI', '');
      onTestFinished(() => void vi.unstubAllEnvs());
      const tests = [test('adds', equal('add(1, 2)', '3'), 'only'), test('more', equal('add(2, 2)', '5'))];
      const report = await run(repository({ a: tests.join('\n') }));
      const more = statusesOf(report)[id('a', 'more')];
      expect(statusesOf(report)[id('a', 'adds')]).toBe('passed');
      // node:test obeys `only` when it is asked to; the others leave the test out.
      expect(tool === 'node' ? more === 'failed' : more !== 'passed').toBe(true);
    });

    it('is never a pass when the code under test ends the process', async () => {
      const root = repository({
        a: `${test('adds', equal('add(1, 2)', '3'))}\n${test('leaves', 'leave();')}`,
      });
      const report = await run(root);
      expect(report.status).toBe('fail');
      expect(report.diagnostics.length).toBeGreaterThan(0);
    });

    it('kills the runner and its grandchildren at the time-out', async () => {
      const root = repository({ a: test('hangs', `return hang(${JSON.stringify('PIDFILE')});`) });
      const pidFile = join(root, 'grandchild.pid');
      const file = join(root, testFile('a'));
      writeFiles(root, { [testFile('a')]: readFileSync(file, 'utf8').replace('PIDFILE', pidFile) });
      const report = await run(root, { timeoutMs: 5_000 });
      expect(report).toMatchObject({ status: 'fail', tests: [] });
      expect(report.diagnostics.map(({ type }) => type)).toEqual(['timeout']);
      expect(existsSync(pidFile)).toBe(true);
      expect(isRunning(readFileSync(pidFile, 'utf8'))).toBe(false);
    });

    it('passes a failed test on while another one still runs', async () => {
      const failures: TestFailure[] = [];
      const stop = new AbortController();
      const onTestFailed = (failure: TestFailure): void => {
        failures.push(failure);
        stop.abort();
      };
      const tests = [
        test('adds', equal('add(1, 2)', '4')),
        test('never ends', `return hang(${JSON.stringify(join(temporaryFolder(), 'pid'))});`),
      ];
      const report = await run(repository({ a: tests.join('\n') }), { onTestFailed, signal: stop.signal });
      expect(failures).toEqual([
        { check: 'tests', test: 'adds', file: testFile('a'), message: 'expected 4, received 3' },
      ]);
      expect(report).toMatchObject({ status: 'error', detail: 'The run was stopped.' });
    });

    it('keeps head and tail of a flood of output', async () => {
      const report = await run(repository({ a: test('floods', `flood(); ${equal('add(1, 2)', '3')}`) }));
      expect(report.status).toBe('pass');
      expect(report.output.length).toBeLessThan(40_000);
    });

    it('runs the tests that were asked for and drops the rest', async () => {
      const tests = [test('adds', equal('add(1, 2)', '3')), test('adds (wrongly)', equal('add(1, 2)', '5'))];
      const root = repository({ a: tests.join('\n'), b: test('other', equal('add(1, 2)', '6')) });
      const whole = await run(root);
      const only = whole.tests.filter(({ name }) => name === 'adds');
      expect(await run(root, { only })).toMatchObject({
        status: 'pass',
        total: 1,
        tests: [{ id: id('a', 'adds') }],
      });
      const wrong = whole.tests.filter(({ name }) => name === 'adds (wrongly)');
      expect(await run(root, { only: wrong })).toMatchObject({ status: 'fail', failed: 1, total: 1 });
      const inB = await run(root, { files: [testFile('b')] });
      expect(Object.keys(statusesOf(inB))).toEqual([id('b', 'other')]);
    });

    it('is no pass when a test that was asked for is not there', async () => {
      const root = repository({ a: test('adds', equal('add(1, 2)', '3')) });
      const asked = (name: string): TestCase => ({
        id: id('a', name),
        name,
        file: testFile('a'),
        status: 'passed',
      });
      const report = await run(root, { only: [asked('adds'), asked('gone')] });
      expect(report).toMatchObject({ status: 'fail', passed: 1 });
      expect(report.detail).toContain('did not run');
      expect((await run(root, { only: [asked('gone')] })).status).not.toBe('pass');
    });

    it.runIf(dialect.allowsDuplicates)('numbers tests of one name in one file', async () => {
      const report = await run(
        repository({ a: [test('twice', equal('1', '1')), test('twice', equal('1', '2'))].join('\n') }),
      );
      expect(statusesOf(report)).toEqual({ [id('a', 'twice')]: 'passed', [id('a', 'twice #2')]: 'failed' });
      const second = report.tests.slice(1);
      expect(
        await run(
          repository({ a: [test('twice', equal('1', '1')), test('twice', equal('1', '2'))].join('\n') }),
          { only: second },
        ),
      ).toMatchObject({ status: 'fail', total: 1 });
    });

    it.runIf(tool !== 'node')('says that it could not run where the tool is not installed', async () => {
      const root = repository({ a: test('adds', equal('add(1, 2)', '3')) });
      const report = await runCheckIn(
        root,
        planFor(tool, { ...dialect.plan, bin: 'node_modules/gone/cli.js' }),
      );
      expect(report).toMatchObject({ status: 'error', exit_code: null });
    });
  });
}
