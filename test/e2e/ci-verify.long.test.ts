/** Attempts to have a wrong result published from the job that runs foreign code. Each has its negative control. */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CiFix, CiLedger } from '../../src/schema/generated.ts';
import { fileOf, fixedJob, plan, publish, startJob, step, verify, type Job } from '../support/github/job.ts';
import { workflowRunPayload } from '../support/github/payloads.ts';
import { git, NODE_TEST_FILES, writeFiles, type Files } from '../support/repositories.ts';

const OFF = ['--sandbox', 'off'];
const HARMLESS = '--- a/src/add.js\n+++ b/src/add.js\n@@ -1,3 +1,4 @@\n+// better\n';

async function planned(job: Job, runId = '4711'): Promise<void> {
  await plan(job, { name: 'workflow_run', payload: workflowRunPayload(job.head), runId });
}

/** A patch that adds a comment in front of the source. */
function forge(job: Job): void {
  const source = fileOf(job, 'main', 'src/add.js');
  const lines = source.trimEnd().split('\n');
  const head = HARMLESS.replace('-1,3 +1,4', `-1,${lines.length} +1,${lines.length + 1}`);
  writeFileSync(join(job.temp, 'fix', 'patch.diff'), `${head}${lines.map((line) => ` ${line}\n`).join('')}`);
}

function addToPatch(job: Job, text: string): void {
  const path = join(job.temp, 'fix', 'patch.diff');
  writeFileSync(path, `${readFileSync(path, 'utf8')}${text}`);
}

function changeFix(job: Job, change: (fix: CiFix) => CiFix): void {
  const path = join(job.temp, 'fix', 'fix.json');
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as CiFix)));
}

/** A branch with more files, and the result of a fix job for it: the one that repairs `NODE_TEST_FILES`. */
async function fixedOn(onBranch: Files, onMain: Files = NODE_TEST_FILES): Promise<Job> {
  const honest = await fixedJob();
  const job = await startJob(onMain);
  git(job.checkout, 'checkout', '--quiet', '-B', 'rounding');
  writeFiles(job.checkout, onBranch);
  git(job.checkout, 'add', '--all', '--force');
  git(job.checkout, 'commit', '--quiet', '--allow-empty', '--message=change');
  git(job.checkout, 'push', '--quiet', 'origin', 'rounding');
  const head = git(job.checkout, 'rev-parse', 'HEAD').trim();
  await plan(job, {
    name: 'workflow_run',
    payload: workflowRunPayload(head, { head_branch: 'rounding' }),
  });
  cpSync(join(honest.temp, 'fix'), join(job.temp, 'fix'), { recursive: true });
  changeFix(job, (it) => ({ ...it, branch: 'rounding', head }));
  return { ...job, head };
}

const branches = (job: Job): string =>
  git(job.bare, 'for-each-ref', '--format=%(refname:short)', 'refs/heads');

test('a verified patch is confirmed by the tree that is published, and by no other', async () => {
  const job = await fixedJob();
  const confirmed = await verify(job, OFF);
  expect(confirmed, confirmed.stderr).toMatchObject({ exitCode: 0, outputs: { confirmed: 'true' } });
  const { tree = '' } = confirmed.outputs;
  const patch = readFileSync(join(job.temp, 'fix', 'patch.diff'));
  forge(job);
  const exchanged = await publish(job, '4711-1', ['--tree', tree]);
  expect(exchanged).toMatchObject({ exitCode: 1, outputs: { published: 'false', reason: 'other_tree' } });
  expect(branches(job)).not.toContain('ralph/fix-');

  const again = await fixedJob();
  writeFileSync(join(again.temp, 'fix', 'patch.diff'), patch);
  const published = await publish(again, '4711-1', ['--tree', tree]);
  expect(published.outputs.published).toBe('true');
  expect(git(again.bare, 'rev-parse', 'ralph/fix-main^{tree}').trim()).toBe(tree);
});

test('a forged verdict brings nothing: neither with its patch nor without a confirmation', async () => {
  const job = await fixedJob();
  forge(job);
  const refused = await verify(job, OFF);
  expect(refused).toMatchObject({
    exitCode: 1,
    outputs: { confirmed: 'false', reason: 'still_red', tree: '' },
  });
  const published = await publish(job, '4711-1', ['--tree', '', '--why', refused.outputs.why!]);
  expect(published).toMatchObject({ exitCode: 0, outputs: { published: 'false', reason: 'unconfirmed' } });
  expect(published.stdout).toContain('With the patch the checks fail: Still red: tests: 2 of 3 failed');
  expect(branches(job)).not.toContain('ralph/fix-');
  const { tries } = JSON.parse(fileOf(job, 'ralph/memory', 'ledger.json')) as CiLedger;
  expect(tries).toMatchObject([{ state: 'unverified' }]);
  // The next try is told, though the loop of this one ended verified.
  await planned(job, '2');
  expect(readFileSync(join(job.temp, 'plan', 'plan.json'), 'utf8')).toContain(
    'refused an earlier result: With the patch the checks fail: Still red: tests: 2 of 3 failed',
  );
});

test('lines that no test runs are named in the pull request', async () => {
  const job = await fixedJob();
  const lines = [
    '@@ -1,3 +1,6 @@',
    ' export function add(a, b) {\n-  return a - b;\n+  if (a === undefined) {\n+    return twice(b);\n+  }\n+  return a + b;\n }\n',
  ];
  const head = 'diff --git a/src/add.js b/src/add.js\n--- a/src/add.js\n+++ b/src/add.js\n';
  writeFileSync(join(job.temp, 'fix', 'patch.diff'), `${head}${lines.join('\n')}`);
  const confirmed = await verify(job, OFF, { RALPH_PROOF_TIME: '60s' });
  expect(confirmed.stdout, confirmed.stdout).toContain('No test runs src/add.js:3.');
  const { tree = '' } = confirmed.outputs;
  expect((await publish(job, '4711-1', ['--tree', tree])).outputs.published).toBe('true');
  expect(job.github.pulls[0]!.body).toContain('**No test runs** `src/add.js` line 3:');
});

describe('a result is not confirmed', () => {
  const green = {
    ...NODE_TEST_FILES,
    'src/add.js': String(NODE_TEST_FILES['src/add.js']).replace('a - b', 'a + b'),
  };

  test('for a commit that is green without it', async () => {
    const job = await fixedJob();
    const passing = await startJob(green);
    await planned(passing);
    cpSync(join(job.temp, 'fix'), join(passing.temp, 'fix'), { recursive: true });
    changeFix(passing, (it) => ({ ...it, head: passing.head }));
    forge(passing);
    expect((await verify(passing, OFF)).outputs).toMatchObject({
      confirmed: 'false',
      reason: 'green_before',
    });
  });

  test('with lines beside the repair that no check needs', async () => {
    const job = await fixedJob();
    const lines = [
      '@@ -1,7 +1,8 @@',
      ' export function add(a, b) {\n-  return a - b;\n+  return a + b;\n }\n ',
      ' export function twice(a) {\n+  if (a > 999) return 0;\n   return add(a, a);\n }\n',
    ];
    const head = 'diff --git a/src/add.js b/src/add.js\n--- a/src/add.js\n+++ b/src/add.js\n';
    writeFileSync(join(job.temp, 'fix', 'patch.diff'), `${head}${lines.join('\n')}`);
    const measured = { RALPH_PROOF_TIME: '60s' };
    const { outputs, stderr } = await verify(job, OFF, measured);
    expect(outputs, stderr).toMatchObject({ confirmed: 'false', reason: 'needless', tree: '' });
    expect(outputs.why).toContain('if the change of src/add.js:6 is taken back');
    const allowed = await verify(job, [...OFF, '--allow', 'src/add.js'], measured);
    expect(allowed.outputs.confirmed).toBe('true');
  });

  test.each([
    ['of another try', (job: Job) => changeFix(job, (it) => ({ ...it, try_id: '1-1' })), 'other_try'],
    [
      'for another commit',
      (job: Job) => changeFix(job, (it) => ({ ...it, head: 'b'.repeat(40) })),
      'other_try',
    ],
    ['without a patch', (job: Job) => rmSync(join(job.temp, 'fix', 'patch.diff')), 'bad_patch'],
    [
      'with a patch of a workflow',
      (job: Job) =>
        writeFileSync(
          join(job.temp, 'fix', 'patch.diff'),
          '--- /dev/null\n+++ b/.github/workflows/x.yml\n@@ -0,0 +1 @@\n+on: push\n',
        ),
      'bad_patch',
    ],
    ['that is missing', (job: Job) => rmSync(join(job.temp, 'fix'), { recursive: true }), 'no_result'],
  ])('%s', async (_, change, reason) => {
    const job = await fixedJob();
    change(job);
    expect(await verify(job, OFF)).toMatchObject({ exitCode: 1, outputs: { tree: '', reason } });
  });

  test('by checks that the branch under repair has switched off', async () => {
    const job = await startJob();
    git(job.checkout, 'checkout', '--quiet', '-B', 'rounding');
    writeFiles(job.checkout, { 'ralph.config.json': { checks: { tests: 'true' } } });
    git(job.checkout, 'add', '--all');
    git(job.checkout, 'commit', '--quiet', '--message=config');
    git(job.checkout, 'push', '--quiet', 'origin', 'rounding');
    const head = git(job.checkout, 'rev-parse', 'HEAD').trim();
    const payload = workflowRunPayload(head, { head_branch: 'rounding' });
    await plan(job, { name: 'workflow_run', payload });
    cpSync(join((await fixedJob()).temp, 'fix'), join(job.temp, 'fix'), { recursive: true });
    changeFix(job, (it) => ({ ...it, branch: 'rounding', head }));
    forge(job);
    expect((await verify(job, OFF)).outputs).toMatchObject({ reason: 'still_red' });
    // Negative control: the same settings on the command line leave nothing red.
    expect((await verify(job, [...OFF, '--check', 'tests=true'])).outputs.reason).not.toBe('still_red');
  });
});

describe('the checks are those of the default branch', () => {
  const manifest = NODE_TEST_FILES['package.json'] as object;
  /** Red on the branch, and green with the forged patch, which repairs nothing. */
  const FORGING = { ...manifest, scripts: { test: 'grep -q better src/add.js' } };

  test('so that a branch with a test script of its own gets no verified result by it', async () => {
    const job = await fixedOn(
      { 'package.json': FORGING },
      { ...NODE_TEST_FILES, 'scripts/release.mjs': '// 1\n' },
    );
    // A program that no test leads to is left out, because the checks pass without it.
    addToPatch(job, '--- a/scripts/release.mjs\n+++ b/scripts/release.mjs\n@@ -1 +1 @@\n-// 1\n+// 2\n');
    const confirmed = await verify(job, OFF);
    expect(confirmed.outputs, confirmed.stderr).toMatchObject({
      confirmed: 'true',
      tree: expect.stringMatching(/^[0-9a-f]{40}\.0$/) as string,
    });
    forge(job);
    expect((await verify(job, OFF)).outputs).toMatchObject({ tree: '', reason: 'still_red' });
    expect(git(join(job.temp, 'verify'), 'status', '--porcelain')).toBe('');
    // Negative control: on the default branch, the same script decides.
    git(job.bare, 'update-ref', 'refs/heads/main', 'refs/heads/rounding');
    const payload = workflowRunPayload(job.head, { head_branch: 'rounding' });
    git(job.bare, 'update-ref', '-d', 'refs/heads/ralph/memory');
    await plan(job, { name: 'workflow_run', payload });
    expect((await verify(job, OFF)).outputs).toMatchObject({ confirmed: 'true' });
  });

  test('on the tests of the branch: one that it adds is passed', async () => {
    const added = (expected: string): string =>
      `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\ntest('adds zero', () => assert.equal(add(5, 0), ${expected}));\n`;
    const honest = await verify(await fixedOn({ 'test/zero.test.js': added('5') }), OFF);
    expect(honest.outputs, honest.stderr).toMatchObject({ confirmed: 'true' });
    expect((await verify(await fixedOn({ 'test/zero.test.js': added('6') }), OFF)).outputs).toMatchObject({
      reason: 'still_red',
    });
  });

  test('and a program that the patch adds, and no test leads to, does not decide', async () => {
    // A program of the checks finds it by a name that is put together while it runs.
    const first = `import { existsSync } from 'node:fs';\nimport '../test/add.test.js';\nif (existsSync(['scripts', 'mo' + 're.sh'].join('/'))) process.on('exit', () => process.reallyExit(0));\n`;
    const scripts = { test: 'node tools/first.mjs' };
    const forged = await fixedOn(
      {},
      { ...NODE_TEST_FILES, 'package.json': { ...manifest, scripts }, 'tools/first.mjs': first },
    );
    const note = '--- /dev/null\n+++ b/docs/more.md\n@@ -0,0 +1 @@\n+See scripts/more.sh\n';
    const more = `--- /dev/null\n+++ b/scripts/more.sh\n@@ -0,0 +1 @@\n+true\n${note}`;
    forge(forged);
    addToPatch(forged, more);
    const refused = await verify(forged, OFF);
    expect(refused.outputs).toMatchObject({ confirmed: 'false', reason: 'still_red' });
    expect(refused.stdout).toContain('scripts/more.sh');
  });

  test('and where it has none, nothing is confirmed unless an argument names one that the branch does not bring', async () => {
    const source = NODE_TEST_FILES['src/add.js']!;
    const onMain = { 'package.json': { name: 'adder', type: 'module' }, 'src/add.js': source };
    const check = `import { add } from './src/add.js';\nif (add(1, 2) !== 3) throw new Error('add');\n`;
    const manifest = { ...onMain['package.json'], scripts: { test: 'node check.js' } };
    const job = await fixedOn({ 'package.json': manifest, 'check.js': check }, onMain);
    const refused = await verify(job, OFF);
    expect(refused, refused.stderr).toMatchObject({
      exitCode: 1,
      outputs: { reason: 'no_checks', tree: '' },
    });
    const ofTheBranch = await verify(job, [...OFF, '--check', 'tests=node check.js']);
    expect(ofTheBranch.outputs, ofTheBranch.stderr).toMatchObject({ confirmed: 'false' });
    const asked = `import('./src/add.js').then(({ add }) => process.exit(add(1, 2) === 3 ? 0 : 1))`;
    const named = await verify(job, [...OFF, '--check', `tests=node -e "${asked}"`]);
    expect(named.outputs, named.stderr).toMatchObject({ confirmed: 'true' });
  });
});

const hasSandbox = existsSync('/usr/bin/bwrap');

describe.skipIf(!hasSandbox)('the sandbox', () => {
  test('keeps tested code from writing the output of the job', async () => {
    const output = join((await startJob()).temp, 'seen');
    const spy = (path: string): string =>
      `import { appendFileSync } from 'node:fs';\nimport { test } from 'node:test';\ntest('spy', () => {\n  for (const path of [${JSON.stringify(path)}, process.env.GITHUB_OUTPUT])\n    try { appendFileSync(path, 'tree=forged\\n'); } catch {}\n});\n`;
    const job = await fixedOn({ 'test/spy.test.js': spy(output) });
    const confirmed = await verify(job);
    expect(confirmed.outputs, confirmed.stderr).toMatchObject({ confirmed: 'true' });
    expect(confirmed.outputs.tree).not.toBe('forged');
    expect(existsSync(output)).toBe(false);
    await verify(job, OFF);
    expect(readFileSync(output, 'utf8')).toContain('forged');
  });

  test('keeps the command that installs packages from secrets and other processes', async () => {
    const job = await startJob();
    const secret = 'sk-ant-canary-0123456789';
    const env = { ANTHROPIC_API_KEY: secret, GITHUB_TOKEN: job.github.token };
    const spy = `{ env; cat /proc/[0-9]*/environ; cat ${job.temp}/plan/plan.json; } > seen.txt 2> /dev/null; echo installed`;
    await planned(job);
    const done = await step(job, ['install', spy], { env });
    expect(done, done.stderr).toMatchObject({ exitCode: 0 });
    expect(done.stdout).toContain('installed');
    const seen = join(job.checkout, 'seen.txt');
    expect(readFileSync(seen, 'latin1')).not.toMatch(/canary|ghs_loopback|try_id/);
    await step(job, ['install', spy, '--sandbox', 'off'], { env });
    expect(readFileSync(seen, 'latin1')).toMatch(/try_id/);
    expect(await step(job, ['install', 'exit 3'], { env })).toMatchObject({ exitCode: 6 });
    expect(await step(job, ['install', ''], { env })).toMatchObject({ exitCode: 2 });
  });

  test('lets npm install in it, with the scripts of the default branch where a plan is named', async () => {
    const lock = { name: 'adder', version: '1.0.0', lockfileVersion: 3, packages: { '': { name: 'adder' } } };
    const job = await startJob({ ...NODE_TEST_FILES, 'package-lock.json': lock });
    await planned(job);
    const manifest = {
      ...(NODE_TEST_FILES['package.json'] as object),
      scripts: { postinstall: 'touch ran' },
    };
    writeFiles(job.checkout, { 'package.json': manifest });
    git(job.checkout, 'commit', '--quiet', '--all', '--message=postinstall');
    const ran = join(job.checkout, 'ran');
    const done = await step(job, ['install', '--plan', join(job.temp, 'plan'), 'npm ci --no-audit']);
    expect(done, done.stdout + done.stderr).toMatchObject({ exitCode: 0 });
    expect(existsSync(ran)).toBe(false);
    expect(git(job.checkout, 'status', '--porcelain')).toBe('');
    expect(await step(job, ['install', 'npm ci --no-audit'])).toMatchObject({ exitCode: 0 });
    expect(existsSync(ran)).toBe(true);
    const missing = await step(job, ['install', '--plan', join(job.temp, 'none'), 'npm ci']);
    expect(missing).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('holds no list') });
  });
});
