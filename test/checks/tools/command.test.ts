import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckPlan } from '../../../src/ports/plan.ts';
import { openSandbox } from '../../../src/platform/sandbox/open.ts';
import { workspacePolicy } from '../../../src/platform/sandbox/policy.ts';
import { hasBubblewrap } from '../../support/bubblewrap.ts';
import { planFor, runCheckIn, statusesOf } from '../../support/checks.ts';
import { temporaryFolder, writeFiles, type Files } from '../../support/repositories.ts';

function repository(files: Files = {}): string {
  const root = temporaryFolder();
  writeFiles(root, { 'a.py': '', ...files });
  return root;
}

function command(line: string, plan: Partial<CheckPlan> = {}): CheckPlan {
  return planFor('command', { args: [line], ...plan });
}

const JUNIT = `<?xml version="1.0"?><testsuites><testsuite name="s" file="a.py">
  <testcase classname="Sum" name="adds" time="0.25"/>
  <testcase classname="Sum" name="subtracts"><failure type="AssertionError" message="expected 1 to equal 2">a.py:3</failure></testcase>
  <testcase classname="Sum" name="waits"><skipped/></testcase>
</testsuite></testsuites>`;
const GREEN_JUNIT = `<testsuite><testcase name="adds"/></testsuite>`;
const SARIF = {
  version: '2.1.0',
  runs: [
    {
      results: [
        {
          ruleId: 'R1',
          level: 'error',
          message: { text: 'bad' },
          locations: [{ physicalLocation: { artifactLocation: { uri: 'a.py' }, region: { startLine: 4 } } }],
        },
      ],
    },
  ],
};

describe('the command check', () => {
  it('uses the exit code where there is no report', async () => {
    expect(await runCheckIn(repository(), command('true'))).toMatchObject({
      status: 'pass',
      exit_code: 0,
      total: 0,
    });
    const report = await runCheckIn(repository(), command('echo broken >&2; exit 3'));
    expect(report).toMatchObject({ status: 'fail', exit_code: 3, command: 'echo broken >&2; exit 3' });
    expect(report.diagnostics).toMatchObject([
      { type: 'other', message: expect.stringContaining('broken') as string },
    ]);
  });

  it.runIf(hasBubblewrap)(
    'names the flag where a red command asked for the network in a closed sandbox',
    async () => {
      const root = repository();
      const policy = () =>
        workspacePolicy(
          { root, repository: root, dependencies: [] },
          { network: false, passEnv: [], read: [], write: [] },
        );
      const { sandbox } = await openSandbox({
        mode: 'strict',
        engine: 'bubblewrap',
        isForeign: false,
        policy,
      });
      const asks = `node -e 'require("net").connect(9, "192.0.2.1").on("error", () => {})'`;
      const detailOf = async (line: string): Promise<string> =>
        (await runCheckIn(root, command(line), { sandbox })).detail ?? '';
      expect(await detailOf(`${asks}; echo Out of date; exit 1`)).toBe(
        'Exit code 1: Out of date. It asked for the network, which the sandbox blocks: --allow-network permits it.',
      );
      expect(await detailOf('echo Out of date; exit 1')).toBe('Exit code 1: Out of date.');
      expect(await detailOf(`${asks}; exit 0`)).toBe('Exit code 0.');
    },
  );

  it.each([
    ['a program that ends by itself', 'echo "a.py:3: error: bad"; exit 1', undefined],
    ['a signal', 'echo "a.py:3: error: bad"; kill -9 $$', true],
    ['an uncaught error', `node -e "console.log('a.py:3: error: bad'); null.x"`, true],
    ['a program that prints more than is read', 'yes "step after step" | head -c 900000; exit 1', true],
    ['a program that prints more than is kept', 'yes "step after step" | head -c 9000000; exit 1', true],
    ['a program that is out of time', 'echo "a.py:3: error: bad"; sleep 60', true],
    ['a setup that fails', 'true', true],
  ])('knows whether it was read to its end: %s', async (what, line, unfinished) => {
    const isSetup = what === 'a setup that fails';
    const plan = command(line, isSetup ? { setup: ['exit 3'] } : {});
    const timeoutMs = what.endsWith('time') ? 500 : 20_000;
    const report = await runCheckIn(repository(), plan, { timeoutMs });
    expect([report.status, report.unfinished]).toEqual(['fail', unfinished]);
  });

  it('removes colours and the path of the tree from its output', async () => {
    const root = repository();
    const report = await runCheckIn(root, command(`printf '\\033[31mbad\\033[0m in %s/a.py' "$PWD"; exit 1`));
    expect(report.output).toBe('bad in a.py');
    expect(report.diagnostics[0]!.message).toBe('Exit code 1: bad in a.py.\nbad in a.py');
  });

  it('reports that it could not run where the program does not exist', async () => {
    expect(await runCheckIn(repository(), command('no-such-program'))).toMatchObject({
      status: 'error',
      exit_code: 127,
    });
  });

  it('reads file, line and column from the output of linters', async () => {
    const line = `echo 'a.py:3:7: E1 bad name'; echo 'a.py:4: warning: odd'; echo 'gone.py:1:1: no file'; exit 1`;
    const report = await runCheckIn(repository(), command(line, { kind: 'lint' }));
    expect(report).toMatchObject({ errors: 1, warnings: 1 });
    expect(report.diagnostics[0]).toMatchObject({ type: 'lint_error', file: 'a.py', line: 3, column: 7 });
  });

  it('reads the findings that stand below the line of their file', async () => {
    const root = repository({ 'src/b c.ts': '' });
    const tsd = ['', '  src/b c.ts:19:5', '  ✖  19:5  Argument of type string.  ', '', '  1 error'];
    const xo = ['', '  a.py:1:1', '  ⚠  1:1  A warning.      a/rule', '  ✖  20:12  Missing.  no-x', ''];
    const eslint = [`${root}/a.py`, '  4:1  error  Bad text  @x/y', '', '✖ 1 problem (1 error, 0 warnings)'];
    const other = ['  gone.ts:1:1', '  ✖  1:1  Not in the tree.', 'text', '  ✖  2:1  Below no file.'];
    writeFiles(root, { out: [...tsd, ...xo, ...eslint, ...other].join('\n') });
    const report = await runCheckIn(root, command('cat out; exit 1', { kind: 'types' }));
    expect(report.diagnostics).toMatchObject([
      { type: 'type_error', file: 'src/b c.ts', line: 19, column: 5, message: 'Argument of type string.' },
      { file: 'a.py', line: 1, severity: 'warning', rule: 'a/rule', message: 'A warning.' },
      { file: 'a.py', line: 20, column: 12, severity: 'error', rule: 'no-x', message: 'Missing.' },
      { file: 'a.py', line: 4, column: 1, severity: 'error', rule: '@x/y', message: 'Bad text' },
    ]);
    expect(report.errors).toBe(3);
  });

  it('reads and removes the JUnit file that the command names', async () => {
    const root = repository({ 'junit.txt': JUNIT });
    const line = 'mkdir -p out; cp junit.txt out/report.xml; test --junitxml=out/report.xml = x';
    const report = await runCheckIn(root, command(line, { kind: 'tests' }));
    expect(statusesOf(report)).toEqual({
      'a.py > Sum > adds': 'passed',
      'a.py > Sum > subtracts': 'failed',
      'a.py > Sum > waits': 'skipped',
    });
    expect(report).toMatchObject({ status: 'fail', total: 2 });
    expect(report.diagnostics).toMatchObject([
      { type: 'test_failure', file: 'a.py', line: 3, expected: '2', received: '1' },
    ]);
    expect(existsSync(join(root, 'out/report.xml'))).toBe(false);
  });

  it('replaces {report} by the path of a report file', async () => {
    const root = repository({ 'green.txt': GREEN_JUNIT });
    const report = await runCheckIn(root, command('cp green.txt {report}', { kind: 'tests' }));
    expect(report).toMatchObject({ status: 'pass', total: 1, command: 'cp green.txt {report}' });
  });

  it('ignores a report that is older than the run', async () => {
    const root = repository({ 'report.xml': GREEN_JUNIT });
    const report = await runCheckIn(root, command('true --junitxml=report.xml', { kind: 'tests' }));
    expect(report).toMatchObject({ status: 'fail', tests: [] });
    expect(existsSync(join(root, 'report.xml'))).toBe(true);
  });

  it('fails where report and exit code contradict each other', async () => {
    const root = repository({ 'red.txt': JUNIT, 'green.txt': GREEN_JUNIT });
    const red = await runCheckIn(root, command('cp red.txt {report}; exit 0', { kind: 'tests' }));
    expect(red).toMatchObject({ status: 'fail', exit_code: 0 });
    expect(red.detail).toContain('exit code 0');
    const green = await runCheckIn(root, command('cp green.txt {report}; exit 1', { kind: 'tests' }));
    expect(green).toMatchObject({ status: 'fail', failed: 0, passed: 1 });
    expect(green.detail).toContain('exit code 1');
  });

  it('reads TAP and SARIF from standard output', async () => {
    const root = repository({
      'tap.txt': 'TAP version 13\n1..2\nok 1 - one\nnot ok 2 - two\n',
      'log.txt': SARIF,
    });
    const tap = await runCheckIn(root, command('cat tap.txt; exit 1', { kind: 'tests' }));
    expect(statusesOf(tap)).toEqual({ one: 'passed', two: 'failed' });
    const sarif = await runCheckIn(root, command('cat log.txt', { kind: 'lint' }));
    expect(sarif).toMatchObject({ status: 'fail', errors: 1, exit_code: 0 });
    expect(sarif.diagnostics).toMatchObject([{ type: 'lint_error', file: 'a.py', line: 4, rule: 'R1' }]);
  });

  it('reads the errors of a type checker that prints like tsc', async () => {
    const root = repository({ 'a.vue': '' });
    const line = `echo "a.vue(3,4): error TS2322: Type 'x'."; exit 2`;
    const report = await runCheckIn(root, command(line, { kind: 'types' }));
    expect(report.diagnostics).toMatchObject([
      { type: 'type_error', rule: 'TS2322', file: 'a.vue', line: 3, column: 4 },
    ]);
  });

  it('fails at the time-out', async () => {
    const report = await runCheckIn(repository(), command('sleep 60'), { timeoutMs: 300 });
    expect(report).toMatchObject({ status: 'fail', exit_code: null, diagnostics: [{ type: 'timeout' }] });
  });

  it('reports that it was stopped', async () => {
    const report = await runCheckIn(repository(), command('sleep 60'), { signal: AbortSignal.timeout(200) });
    expect(report).toMatchObject({ status: 'error', detail: 'The run was stopped.' });
  });

  it('lists at most 500 diagnostics and counts all of them', async () => {
    const line = `i=0; while [ $i -lt 501 ]; do i=$((i+1)); echo "a.py:$i:1: bad"; done; exit 1`;
    const report = await runCheckIn(repository(), command(line, { kind: 'lint' }));
    expect(report.diagnostics).toHaveLength(500);
    expect(report.errors).toBe(501);
  });

  it('has the variables of npm if it comes from a script', async () => {
    const root = repository({ 'package.json': { version: '1.2.3', scripts: { test: 'x' } } });
    const plan = command('test "$npm_package_version" = 1.2.3');
    expect((await runCheckIn(root, { ...plan, source: 'package.json#scripts.test' })).status).toBe('pass');
    expect((await runCheckIn(root, { ...plan, source: '--check tests=x' })).status).toBe('fail');
  });

  it("runs with the repository's programs on the PATH and the plan's variables", async () => {
    const root = repository({ 'node_modules/.bin/tool': '#!/bin/sh\ntest "$WHERE" = here\n' });
    chmodSync(join(root, 'node_modules/.bin/tool'), 0o755);
    expect((await runCheckIn(root, command('tool'))).status).toBe('fail');
    expect((await runCheckIn(root, command('tool', { env: { WHERE: 'here' } }))).status).toBe('pass');
  });
});

describe('the setup of a check', () => {
  it('runs before the check', async () => {
    const report = await runCheckIn(
      repository(),
      command('test -f built', { setup: ['true', 'touch built'] }),
    );
    expect(report.status).toBe('pass');
  });

  it('fails the check where it fails', async () => {
    const setup = [`echo "a.py(1,2): error TS1005: ';' expected."; exit 2`];
    const report = await runCheckIn(repository(), command('touch ran', { setup, kind: 'tests' }));
    expect(report).toMatchObject({ status: 'fail', exit_code: 2, command: setup[0], tests: [] });
    expect(report.diagnostics).toMatchObject([
      { type: 'syntax_error', file: 'a.py', line: 1, rule: 'TS1005' },
    ]);
  });

  it('reports its output where it fails', async () => {
    const report = await runCheckIn(repository(), command('true', { setup: ['echo disk full; exit 1'] }));
    expect(report.diagnostics).toMatchObject([
      { type: 'other', message: expect.stringContaining('disk full') as string },
    ]);
  });

  it('reports that it could not run where its program does not exist', async () => {
    const report = await runCheckIn(repository(), command('true', { setup: ['no-such-program'] }));
    expect(report.status).toBe('error');
  });
});
