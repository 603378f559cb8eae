/** The pipeline in docs/how-to/ci.md: its scripts are executed job by job, as GitLab's runner does. */
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseOutputs, startJob, type Job } from '../support/github/job.ts';
import { git, NODE_TEST_FILES } from '../support/repositories.ts';

interface PipelineJob {
  readonly script?: readonly string[];
  readonly environment?: { readonly name: string };
  readonly variables?: Readonly<Record<string, string>>;
  readonly artifacts?: { readonly paths?: readonly string[]; readonly reports?: { readonly dotenv: string } };
}

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'how-to', 'ci.md'), 'utf8');
const pipeline = parse(/^```yaml\n(# \.gitlab-ci\.yml\n.*?)^```$/ms.exec(PAGE)![1]!) as Record<
  string,
  PipelineJob
>;
const jobs = Object.entries(pipeline).filter(([, job]) => job.script !== undefined);
const TOKEN = 'glpat-loopback0123456789ab';

interface Done {
  readonly name: string;
  readonly exitCode: number | null;
  readonly log: string;
}

async function runPipeline(job: Job): Promise<Done[]> {
  const bin = join(job.temp, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'ralph'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin', 'ralph.js')}' "$@"\n`,
  );
  chmodSync(join(bin, 'ralph'), 0o755);
  const kept = join(job.temp, 'kept');
  const fromJobs: Record<string, string> = {};
  const done: Done[] = [];
  for (const [name, { script = [], environment, variables = {}, artifacts }] of jobs) {
    const work = join(job.temp, `job-${name}`);
    if (variables.GIT_STRATEGY === 'none') mkdirSync(work);
    else git(job.temp, 'clone', '--quiet', job.bare, work);
    if (existsSync(kept)) cpSync(kept, work, { recursive: true });
    const env = {
      ...{ HOME: job.temp, PATH: `${bin}:${process.env.PATH ?? ''}`, CI: 'true', GITLAB_CI: 'true' },
      CI_COMMIT_BRANCH: 'main',
      CI_PIPELINE_ID: '815',
      CI_PROJECT_PATH: 'octo-org/shop',
      CI_SERVER_URL: job.server,
      ...fromJobs,
      // The environment scope of the variable limits it to these jobs.
      ...(environment?.name === 'ralph' && { GITLAB_TOKEN: TOKEN }),
    };
    const finished = await bash(script.join('\n'), { cwd: work, env });
    done.push({ name, ...finished });
    const reported = join(work, artifacts?.reports?.dotenv ?? '');
    if (artifacts?.reports !== undefined && existsSync(reported))
      Object.assign(fromJobs, parseOutputs(readFileSync(reported, 'utf8')));
    for (const path of artifacts?.paths ?? [])
      if (existsSync(join(work, path))) cpSync(join(work, path), join(kept, path), { recursive: true });
  }
  return done;
}

async function bash(
  script: string,
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<Omit<Done, 'name'>> {
  const ended = await execa('bash', ['-eo', 'pipefail', '-c', script], {
    ...options,
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    stripFinalNewline: false,
    reject: false,
  });
  return { exitCode: ended.exitCode ?? null, log: ended.all };
}

const lock = {
  name: 'adder',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: { '': { name: 'adder', version: '1.0.0' } },
};

test('a failing branch gets a fix on a new branch, and the push requests a merge request', async () => {
  const job = await startJob({ ...NODE_TEST_FILES, 'package-lock.json': lock });
  git(job.bare, 'config', 'receive.advertisePushOptions', 'true');
  const asked = join(job.temp, 'push-options');
  const hook = `#!/bin/sh\ni=0\nwhile [ "$i" -lt "\${GIT_PUSH_OPTION_COUNT:-0}" ]; do\n  eval "echo \\$GIT_PUSH_OPTION_$i" >> '${asked}'\n  i=$((i + 1))\ndone\n`;
  writeFileSync(join(job.bare, 'hooks', 'pre-receive'), hook, { mode: 0o755 });
  const done = await runPipeline(job);
  expect(
    done.map(({ exitCode }) => exitCode),
    done.map(({ log }) => log).join('\n'),
  ).toEqual([0, 0, 0, 0]);
  expect(git(job.bare, 'show', 'ralph/fix-main:src/add.js')).toContain('a + b');
  expect(readFileSync(asked, 'utf8')).toBe('merge_request.create\nmerge_request.target=main\n');
  expect(done.map(({ log }) => log).join('\n')).not.toContain(TOKEN);
});

test("somebody else's commits on the branch for fixes are kept, and nothing is tried", async () => {
  const job = await startJob({ ...NODE_TEST_FILES, 'package-lock.json': lock });
  const other = git(job.checkout, 'commit-tree', '-p', 'main', '-m', 'mine', 'main^{tree}').trim();
  git(job.checkout, 'push', '--quiet', 'origin', `${other}:refs/heads/ralph/fix-main`);
  const done = await runPipeline(job);
  expect(done[0]!.log).toContain('branch_edited');
  expect(done[0]!.log).toContain('holds commits that ralph did not make');
  expect(git(job.bare, 'rev-parse', 'ralph/fix-main').trim()).toBe(other);
});

test('the job that runs code of the repository has no token', () => {
  expect(jobs.map(([name, { environment }]) => [name, environment?.name])).toEqual([
    ['plan', 'ralph'],
    ['fix', undefined],
    ['verify', undefined],
    ['publish', 'ralph'],
  ]);
});
