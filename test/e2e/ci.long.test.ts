import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CiFix, CiLedger, CiPlan, Reflection, RuledOutSummary } from '../../src/schema/generated.ts';
import { commentPayload, labelPayload, workflowRunPayload } from '../support/github/payloads.ts';
import {
  confirmedTree,
  copyJob,
  fileOf,
  fix,
  fixedJob,
  patchedTree,
  plan,
  publish,
  REPAIRS,
  startJob,
  step,
  type Job,
} from '../support/github/job.ts';
import { commitAll, git, NODE_TEST_FILES, writeFiles, type Files } from '../support/repositories.ts';

const failing = (head: string): { name: string; payload: object } => ({
  name: 'workflow_run',
  payload: workflowRunPayload(head),
});

function ledgerOf(job: Job): CiLedger {
  return JSON.parse(fileOf(job, 'ralph/memory', 'ledger.json')) as CiLedger;
}

test('a failing branch is planned, repaired offline, pushed and published as one pull request', async () => {
  const job = await startJob();
  const planned = await plan(job, failing(job.head));
  expect(planned).toMatchObject({
    exitCode: 0,
    outputs: { run: 'true', branch: 'main', head: job.head, 'try-id': '4711-1' },
  });

  const fixed = await fix(job);
  expect(fixed, fixed.stderr).toMatchObject({ exitCode: 0, outputs: { verified: 'true', reward: '1' } });
  expect(fixed.summary).toContain('Verified');

  const published = await publish(job, '4711-1', ['--tree', await confirmedTree(job)]);
  expect(published, published.stderr + published.stdout).toMatchObject({
    exitCode: 0,
    outputs: {
      published: 'true',
      verified: 'true',
      branch: 'ralph/fix-main',
      'pr-url': 'https://github.com/octo-org/shop/pull/1',
    },
  });
  expect(fileOf(job, 'ralph/fix-main', 'src/add.js')).toContain('return a + b;');
  expect(git(job.bare, 'rev-parse', 'ralph/fix-main^').trim()).toBe(job.head);
  const [pull] = job.github.pulls;
  expect(pull).toMatchObject({
    state: 'open',
    headBranch: 'ralph/fix-main',
    base: 'main',
    title: 'ralph: fix main',
  });
  expect(pull!.body).toContain('src/add.js');
  expect(pull!.body).toContain('### Receipt');
  expect(pull!.body).toContain('https://github.com/octo-org/shop/actions/runs/4711');
  expect(ledgerOf(job)).toMatchObject({
    tries: [{ id: '4711-1', branch: 'main', head: job.head, state: 'published', cost_usd: 0 }],
    branches: [{ branch: 'main', tip: git(job.bare, 'rev-parse', 'ralph/fix-main').trim(), pull: 1 }],
  });
});

/** An actor that changes nothing and saves its prompt. */
const idle = (prompt: string): string[] => [
  '--command',
  `cat > ${prompt}; echo done`,
  '--sandbox',
  'off',
  '--max-iterations',
  '1',
];

test('a failed fix is retried with its reflections, at most three times per commit', async () => {
  const job = await startJob();
  const prompts = ['first.txt', 'second.txt'].map((name) => join(job.temp, name));
  for (const [at, prompt] of prompts.entries()) {
    const runId = String(at + 1);
    expect((await plan(job, { ...failing(job.head), runId })).outputs.run).toBe('true');
    expect(await fix(job, idle(prompt))).toMatchObject({ exitCode: 1, outputs: { verified: 'false' } });
    const published = await publish(job, `${runId}-1`);
    expect(published).toMatchObject({ exitCode: 0, outputs: { published: 'false', reason: 'not_verified' } });
    git(job.checkout, 'clean', '--quiet', '--force', '-dx');
  }
  const [first] = ledgerOf(job).tries;
  const path = `reflections/${first!.loop_id!}/001.json`;
  const reflection = JSON.parse(fileOf(job, 'ralph/memory', path)) as Reflection;
  expect(readFileSync(prompts[0]!, 'utf8')).not.toContain('of an earlier loop');
  expect(readFileSync(prompts[1]!, 'utf8')).toContain('## Reflection on attempt 1 of an earlier loop');
  expect(reflection.self_reflection.reflection_text).toMatch(/^In attempt 1 I changed no file: /);
  expect(readFileSync(prompts[1]!, 'utf8')).toContain('In attempt 1 of an earlier loop I changed no file: ');

  await plan(job, { ...failing(job.head), runId: '3' });
  expect(JSON.parse(readFileSync(join(job.temp, 'plan', 'plan.json'), 'utf8'))).toMatchObject({
    try: 3,
    earlier_loops: ledgerOf(job)
      .tries.slice(0, 2)
      .map(({ loop_id }) => loop_id!),
  } satisfies Partial<CiPlan>);
  expect(await fix(job, REPAIRS)).toMatchObject({ exitCode: 0 });
  expect((await publish(job, '3-1')).outputs.published).toBe('true');
  const fourth = await plan(job, { ...failing(job.head), runId: '4' });
  expect(fourth.outputs).toMatchObject({ run: 'false', reason: 'tries_used' });
  expect(ledgerOf(job).tries.map(({ state }) => state)).toEqual(['unverified', 'unverified', 'published']);
});

/** A bug that no single small edit repairs, with a small limit of tries per attempt. */
const BEYOND_SMALL_EDITS: Files = {
  ...NODE_TEST_FILES,
  'ralph.config.json': { maxIterations: 1, search: { maxCandidates: 3 } },
  'src/add.js':
    'export function add(a, b) {\n  return a - b;\n}\n\nexport function twice(a) {\n  return add(a, a);\n}\n',
  'test/add.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\n\n" +
    "test('mixes', () => {\n  assert.deepEqual([add(2, 3), add(7, 1), add(4, 4)], [1117, 23, 999]);\n});\n",
};

test('edits that one run ruled out are not tried again in the next run', async () => {
  const job = await startJob(BEYOND_SMALL_EDITS);
  const ruledOut: RuledOutSummary[] = [];
  for (const runId of ['1', '2']) {
    await plan(job, { ...failing(job.head), runId });
    expect((await fix(job)).outputs.verified).toBe('false');
    await publish(job, `${runId}-1`);
    const loopId = ledgerOf(job).tries.at(-1)!.loop_id!;
    const path = `reflections/${loopId}/001.json`;
    const reflection = JSON.parse(fileOf(job, 'ralph/memory', path)) as Reflection;
    ruledOut.push(reflection.actor_output.ruled_out!);
    git(job.checkout, 'clean', '--quiet', '--force', '-dx');
  }
  const { count, sha256 } = ruledOut[0]!;
  expect(ruledOut).toEqual([
    expect.objectContaining({ tried: 3, count: 3 }),
    expect.objectContaining({ tried: 0, count, sha256 }),
  ]);
});

describe('a pull request that GitHub refuses uses up no try', () => {
  const message = 'GitHub Actions is not permitted to create or approve pull requests.';
  const args = ['--max-tries', '1'];

  async function refusedJob(
    prepare = (_: Job): void => {},
  ): Promise<{ readonly job: Job; readonly tree: string }> {
    const job = await fixedJob();
    const tree = patchedTree(job);
    prepare(job);
    job.github.faults.push({ status: 403, method: 'POST', path: '/pulls', body: { message } });
    const refused = await publish(job, '4711-1', ['--tree', tree]);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('Allow GitHub Actions to create');
    expect(ledgerOf(job).tries).toMatchObject([{ state: 'unopened' }]);
    return { job, tree };
  }

  test('and is opened by the same job later', async () => {
    const { job, tree } = await refusedJob();
    const tip = git(job.bare, 'rev-parse', 'ralph/fix-main');
    expect((await publish(job, '4711-1', ['--tree', tree])).outputs).toMatchObject({
      published: 'true',
      'pr-url': 'https://github.com/octo-org/shop/pull/1',
    });
    expect(git(job.bare, 'rev-parse', 'ralph/fix-main')).toBe(tip);
    expect(job.github.pulls).toHaveLength(1);
    expect(ledgerOf(job)).toMatchObject({ tries: [{ state: 'published' }], branches: [{ pull: 1 }] });
    // Negative control: what is settled stays so.
    expect((await publish(job, '4711-1', ['--tree', tree])).outputs).toMatchObject({
      published: 'false',
      reason: 'settled',
    });
  });

  test('or by the plan of the next event, which starts no try and corrects the comment', async () => {
    const { job } = await refusedJob(({ github, head }) => {
      github.addPull({ number: 7, headBranch: 'main', headSha: head });
    });
    expect(job.github.comments).toMatchObject([
      { pull: 7, body: expect.stringContaining('publishes nothing') },
    ]);
    const next = await plan(job, { ...failing(job.head), runId: '2', args });
    expect(next.outputs).toMatchObject({ run: 'false', reason: 'fixed' });
    expect(next.stdout).toContain('Opened pull request #2');
    expect(job.github.pulls).toMatchObject([{ number: 7 }, { headBranch: 'ralph/fix-main', base: 'main' }]);
    expect(job.github.comments).toMatchObject([
      { pull: 7, body: expect.stringContaining('a verified fix: #2.') },
    ]);
    expect(ledgerOf(job)).toMatchObject({ tries: [{ state: 'published' }], branches: [{ pull: 2 }] });
    await plan(job, { ...failing(job.head), runId: '3', args });
    expect(job.github.pulls).toHaveLength(2);
  });
});

test('a push that the server refuses uses up no try, and starts none', async () => {
  const job = await fixedJob();
  job.github.addPull({ number: 7, headBranch: 'main', headSha: job.head });
  const hook = join(job.bare, 'hooks', 'pre-receive');
  writeFiles(job.bare, {
    'hooks/pre-receive':
      '#!/bin/sh\n! grep -q refs/heads/ralph/fix- || { echo "GH013: rule violations" >&2; exit 1; }\n',
  });
  chmodSync(hook, 0o755);
  const tree = patchedTree(job);
  const refused = await publish(job, '4711-1', ['--tree', tree]);
  expect(refused.exitCode).toBe(4);
  expect(refused.stderr).toContain('A rule of the server protects the branch.');
  expect(ledgerOf(job).tries).toMatchObject([{ state: 'unpushed' }]);
  expect(job.github.comments[0]!.body).toContain('GH013: rule violations');
  expect(job.github.comments[0]!.body).toContain('This counts as no try.');
  const next = await plan(job, { ...failing(job.head), runId: '2', args: ['--max-tries', '1'] });
  expect(next.outputs).toMatchObject({ run: 'false', reason: 'unpushed' });
  rmSync(hook);
  expect((await publish(job, '4711-1', ['--tree', tree])).outputs).toMatchObject({ published: 'true' });
  expect(ledgerOf(job).tries).toMatchObject([{ state: 'published' }]);
});

test('a fix for the next commit of the branch goes into the same pull request', async () => {
  const job = await fixedJob();
  await publish(job);
  git(job.checkout, 'checkout', '--quiet', '--force', 'main');
  writeFiles(job.checkout, { 'README.md': 'adds\n' });
  git(job.checkout, 'add', 'README.md');
  git(job.checkout, 'commit', '--quiet', '--message=Say what it does');
  git(job.checkout, 'push', '--quiet', 'origin', 'main');
  const head = git(job.checkout, 'rev-parse', 'HEAD').trim();
  expect((await plan(job, { ...failing(head), runId: '2' })).outputs.run).toBe('true');
  expect(await fix(job, REPAIRS)).toMatchObject({ exitCode: 0 });
  expect((await publish(job, '2-1')).outputs).toMatchObject({
    published: 'true',
    'pr-url': 'https://github.com/octo-org/shop/pull/1',
  });
  expect(job.github.pulls).toHaveLength(1);
  expect(job.github.pulls[0]!.body).toContain(head.slice(0, 10));
  expect(git(job.bare, 'rev-parse', 'ralph/fix-main^').trim()).toBe(head);
  expect(fileOf(job, 'ralph/fix-main', 'README.md')).toBe('adds\n');
});

describe('a verified result is withheld', () => {
  let verified: Job;
  let tree: string;

  beforeAll(async () => {
    const job = await startJob();
    git(job.checkout, 'push', '--quiet', 'origin', 'main:rounding');
    job.github.addPull({ number: 7, headBranch: 'rounding', headSha: job.head, labels: ['ralph'] });
    const planned = await plan(job, { name: 'pull_request', payload: labelPayload(job.head) });
    expect(planned.outputs, planned.stderr).toMatchObject({ run: 'true', branch: 'rounding' });
    expect((await fix(job, REPAIRS)).outputs.verified).toBe('true');
    [verified, tree] = [job, patchedTree(job)];
  }, 120_000);
  const branches = (job: Job): string =>
    git(job.bare, 'for-each-ref', '--format=%(refname:short)', 'refs/heads');

  test('if the label was removed meanwhile, and is not published later either', async () => {
    const job = await copyJob(verified);
    job.github.pulls[0]!.labels = [];
    expect(await publish(job, '4711-1', ['--tree', tree])).toMatchObject({
      exitCode: 0,
      outputs: { published: 'false', reason: 'label_removed' },
    });
    job.github.pulls[0]!.labels = ['ralph'];
    expect(await publish(job, '4711-1', ['--tree', tree])).toMatchObject({
      exitCode: 1,
      outputs: { published: 'false', reason: 'settled' },
    });
    expect(branches(job)).not.toContain('ralph/fix-');
    expect(ledgerOf(job).tries).toMatchObject([{ state: 'withheld' }]);
  });

  test('if the branch has new commits meanwhile', async () => {
    const job = await copyJob(verified);
    git(job.checkout, 'checkout', '--quiet', '--force', '-B', 'rounding');
    commitAll(job.checkout, 'another');
    git(job.checkout, 'push', '--quiet', 'origin', 'rounding');
    expect((await publish(job, '4711-1', ['--tree', tree])).outputs).toMatchObject({
      published: 'false',
      reason: 'head_moved',
    });
    expect(branches(job)).not.toContain('ralph/fix-');
  });

  test("if the branch for fixes has somebody else's commits", async () => {
    const job = await copyJob(verified);
    const other = git(job.checkout, 'commit-tree', '-p', 'main', '-m', 'mine', 'main^{tree}').trim();
    git(job.checkout, 'push', '--quiet', 'origin', `${other}:refs/heads/ralph/fix-rounding`);
    const published = await publish(job, '4711-1', ['--tree', tree]);
    expect(published).toMatchObject({
      exitCode: 1,
      outputs: { published: 'false', reason: 'branch_edited' },
    });
    expect(git(job.bare, 'rev-parse', 'ralph/fix-rounding').trim()).toBe(other);
  });

  test.each([
    [
      'a verdict of another try',
      (job: Job) => changeFix(job, (made) => ({ ...made, try_id: '1-1' })),
      'other_try',
    ],
    [
      'a verdict that violates its schema',
      (job: Job) => changeFix(job, (made) => ({ ...made, more: 1 }) as CiFix),
      'no_result',
    ],
    ['a symbolic link instead of the patch', linkPatch, 'no_result'],
    ['no patch', (job: Job) => rmSync(join(job.temp, 'fix', 'patch.diff')), 'bad_patch'],
    ['a patch that changes a workflow', (job: Job) => patchNew(job, '.github/workflows/x.yml'), 'bad_patch'],
  ])('with %s', async (_, change, reason) => {
    const job = await copyJob(verified);
    change(job);
    expect((await publish(job, '4711-1', ['--tree', tree])).outputs).toMatchObject({
      published: 'false',
      reason,
    });
    expect(branches(job)).not.toContain('ralph/fix-');
    expect(job.github.pulls).toHaveLength(1);
  });
});

function changeFix(job: Job, change: (fix: CiFix) => CiFix): void {
  const path = join(job.temp, 'fix', 'fix.json');
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as CiFix)));
}

function linkPatch(job: Job): void {
  const path = join(job.temp, 'fix', 'patch.diff');
  rmSync(path);
  symlinkSync('/etc/passwd', path);
}

function patchNew(job: Job, path: string): void {
  const lines = ['--- /dev/null', `+++ b/${path}`, '@@ -0,0 +1 @@', '+on: push', ''];
  const text = [`diff --git a/${path} b/${path}`, 'new file mode 100644', ...lines].join('\n');
  writeFileSync(join(job.temp, 'fix', 'patch.diff'), text);
}

test('nothing of the verdict gets into the message of the commit and the title', async () => {
  const job = await fixedJob();
  const said = 'Done [skip ci]. Closes #1, thanks @octocat';
  changeFix(job, (made) => ({ ...made, verdict: { ...made.verdict, reason: said } }));
  expect((await publish(job)).outputs.published).toBe('true');
  const message = git(job.bare, 'log', '-1', '--format=%B', 'ralph/fix-main').trim();
  expect(message).toMatch(
    /^ralph: fix main\n\nEvery check passes with it\.\n\nRalph-Loop: ralph-[a-z0-9-]+$/,
  );
  expect(job.github.pulls[0]!.title).toBe('ralph: fix main');
});

test('output of a test is not executed by the runner, and the token appears nowhere', async () => {
  const printed = '::set-env name=X::1\\n::error::forged\\n##[add-mask]x';
  const job = await startJob({
    ...NODE_TEST_FILES,
    'test/loud.test.js': `import { test } from 'node:test';\ntest('::error::forged\\n::stop', () => {\n  console.log('${printed}');\n  throw new Error('${printed}');\n});\n`,
  });
  const planned = await plan(job, failing(job.head));
  const fixed = await fix(job, ['--max-iterations', '1']);
  const lines = fixed.stdout.split('\n');
  const [begin] = lines;
  const [, mark] = /^::stop-commands::(ralph-[0-9a-f-]{36})$/.exec(begin!)!;
  const end = lines.indexOf(`::${mark!}::`);
  expect(end).toBeGreaterThan(5);
  const commands = lines.slice(end + 1).filter((line) => /^\s*::|##\[/.test(line));
  expect(commands.length).toBeGreaterThan(1);
  for (const command of commands)
    expect(command).toMatch(/^::(warning|error) (?:file=[\w./]+,)?(?:line=\d+,)?title=[^:]*::/);
  expect(commands.join()).not.toMatch(/^::error::forged/m);
  const published = await publish(job);
  const everything = [planned, fixed, published].flatMap(({ stdout, stderr, summary, outputs }) => [
    stdout,
    stderr,
    summary,
    JSON.stringify(outputs),
  ]);
  expect(everything.join('\n')).not.toContain(job.github.token);
  expect(git(job.bare, 'log', '--patch', 'ralph/memory')).not.toContain(job.github.token);
});

test('a comment of a user with write permission sets the task; that of another user is ignored', async () => {
  const job = await startJob();
  git(job.checkout, 'push', '--quiet', 'origin', 'main:rounding');
  job.github.addPull({ number: 7, headBranch: 'rounding', headSha: job.head });
  const event = { name: 'issue_comment', payload: commentPayload('/ralph fix make add add') };
  job.github.permissions.set('octocat', 'read');
  expect((await plan(job, event)).outputs).toMatchObject({ run: 'false', reason: 'no_permission' });
  job.github.permissions.set('octocat', 'write');
  expect((await plan(job, event)).outputs).toMatchObject({ run: 'true', branch: 'rounding' });
  expect(JSON.parse(readFileSync(join(job.temp, 'plan', 'plan.json'), 'utf8'))).toMatchObject({
    task: 'make add add',
    pull: 7,
  });
  expect((await plan(job, { ...event, runId: '2' })).outputs).toMatchObject({
    run: 'false',
    reason: 'locked',
  });
});

test('budgets hold across runs: the maximum cost of a try is reserved until it has ended', async () => {
  const job = await startJob();
  const args = ['--max-cost', '1', '--max-cost-per-day', '1.5'];
  git(job.checkout, 'push', '--quiet', 'origin', 'main:next');
  expect((await plan(job, { ...failing(job.head), args })).outputs.run).toBe('true');
  const next = { name: 'workflow_run', payload: workflowRunPayload(job.head, { head_branch: 'next' }), args };
  expect((await plan(job, { ...next, runId: '2' })).outputs).toMatchObject({
    run: 'false',
    reason: 'budget_day',
  });
  rmSync(join(job.temp, 'fix'), { recursive: true, force: true });
  expect((await publish(job)).outputs).toMatchObject({ published: 'false', reason: 'no_result' });
  expect(ledgerOf(job).tries).toMatchObject([{ state: 'failed', cost_usd: 1 }]);
});

test.each([
  [['plan', '--max-cost-per-day', '3'], 'Add --max-cost'],
  [['plan', '--max-tries', '0'], '--max-tries "0"'],
  [['plan', '--lock-timeout', 'soon'], '90m or 2h'],
  [['plan', '--label', 'x', '--opt-out-label', 'x'], 'Choose two different labels'],
  [['plan', '--branch-prefix', '../x'], '--branch-prefix'],
  [['plan'], 'name the failing branch'],
  [['fix', '--plan', 'nowhere'], 'ralph ci plan --output'],
  [['publish'], '--try-id'],
  [['publish', '--try-id', '1-1'], 'GITHUB_TOKEN'],
])('ralph ci %j is refused with a remedy', async (args, said) => {
  const job = await fixedJob();
  const refused = await step(job, args);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(said);
});
