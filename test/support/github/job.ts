/** A repository on a loopback GitHub, and the jobs of the CI flow run against it by the built program. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ralph, type Finished } from '../ralph.ts';
import {
  commitAll,
  git,
  HONEST_FIX,
  NODE_TEST_FILES,
  temporaryFolder,
  writeFiles,
  type Files,
} from '../repositories.ts';
import { workflowRunPayload } from './payloads.ts';
import { startGitHub, type GitHubServer } from './server.ts';

export interface Job {
  readonly github: GitHubServer;
  /** The remote: a bare repository that is pushed to over its path. */
  readonly bare: string;
  /** `GITHUB_SERVER_URL` by which it is found without being named. */
  readonly server: string;
  /** A clone of it, as a checkout step leaves it. */
  readonly checkout: string;
  /** Where the steps leave their files. */
  readonly temp: string;
  readonly head: string;
}

export type Outputs = Readonly<Record<string, string>>;

export interface Step extends Finished {
  readonly outputs: Outputs;
  readonly summary: string;
}

/** A package whose tests fail for one wrong operator, on branch main of a bare repository. */
export async function startJob(files: Files = NODE_TEST_FILES): Promise<Job> {
  const temp = temporaryFolder();
  const server = join(temp, 'server');
  const bare = join(server, 'octo-org', 'shop.git');
  const checkout = join(temp, 'checkout');
  git(temp, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  git(temp, 'clone', '--quiet', bare, checkout);
  git(checkout, 'checkout', '--quiet', '-B', 'main');
  writeFiles(checkout, { '.gitignore': 'node_modules\n', ...files });
  commitAll(checkout);
  git(checkout, 'push', '--quiet', 'origin', 'main');
  const head = git(checkout, 'rev-parse', 'HEAD').trim();
  return { github: await startGitHub({ bare }), server: `file://${server}`, bare, checkout, temp, head };
}

/** The job as it is now, with a remote, a checkout and a GitHub of its own. */
export async function copyJob(job: Job): Promise<Job> {
  const temp = temporaryFolder();
  cpSync(job.temp, temp, { recursive: true, verbatimSymlinks: true });
  const [server, checkout] = [join(temp, 'server'), join(temp, 'checkout')];
  const bare = join(server, 'octo-org', 'shop.git');
  git(checkout, 'remote', 'set-url', 'origin', bare);
  const github = await startGitHub({ bare });
  for (const pull of job.github.pulls) github.addPull(structuredClone(pull));
  return { github, server: `file://${server}`, bare, checkout, temp, head: job.head };
}

/** The environment of a step in Actions. The token is there only where a step is given it. */
export function actionsEnv(job: Job, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: job.github.repository,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_API_URL: job.github.url,
    GITHUB_RUN_ID: '4711',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_REF: 'refs/heads/main',
    GITHUB_WORKFLOW: 'ralph',
    GITHUB_WORKFLOW_REF: `${job.github.repository}/.github/workflows/ralph.yml@refs/heads/main`,
    GITHUB_TOKEN: '',
    GH_TOKEN: '',
    // The jobs are about what happens to a result, not about the mutants of its change.
    RALPH_PROOF_TIME: '0s',
    ...more,
  };
}

/** Runs `ralph ci ARGS` as a step, with files for its outputs and its summary. */
export async function step(
  job: Job,
  args: readonly string[],
  {
    cwd = job.checkout,
    env = {},
  }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Step> {
  const [output, summary] = [join(job.temp, 'output'), join(job.temp, 'summary')];
  for (const path of [output, summary]) {
    rmSync(path, { force: true });
    writeFileSync(path, '');
  }
  const finished = await ralph(cwd, ['ci', ...args], {
    env: { ...actionsEnv(job), GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, ...env },
  });
  return {
    ...finished,
    outputs: parseOutputs(readFileSync(output, 'utf8')),
    summary: readFileSync(summary, 'utf8'),
  };
}

/** `plan` for an event; it has the token. */
export function plan(
  job: Job,
  {
    name,
    payload,
    runId = '4711',
    attempt = '1',
    args = [],
  }: {
    readonly name: string;
    readonly payload: object;
    readonly runId?: string;
    /** Number of the attempt of the run. */
    readonly attempt?: string;
    readonly args?: readonly string[];
  },
): Promise<Step> {
  const event = join(job.temp, 'event.json');
  writeFileSync(event, JSON.stringify(payload));
  rmSync(join(job.temp, 'plan'), { recursive: true, force: true });
  return step(job, ['plan', '--remote', job.bare, '--output', join(job.temp, 'plan'), ...args], {
    env: {
      GITHUB_EVENT_NAME: name,
      GITHUB_EVENT_PATH: event,
      GITHUB_TOKEN: job.github.token,
      GITHUB_RUN_ID: runId,
      GITHUB_RUN_ATTEMPT: attempt,
    },
  });
}

/** `fix` of what was planned; it has no token. */
export function fix(
  job: Job,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Step> {
  rmSync(join(job.temp, 'fix'), { recursive: true, force: true });
  return step(job, ['fix', '--plan', join(job.temp, 'plan'), '--output', join(job.temp, 'fix'), ...args], {
    env,
  });
}

/** Arguments of `fix` for an actor that repairs the operator at once. */
export const REPAIRS = ['--command', HONEST_FIX, '--sandbox', 'off'] as const;

let made: Promise<Job> | undefined;

/**
 * A job of its own whose failing branch `main` was planned as the try 4711-1 and repaired. Planning and repairing happen once
 * for the whole file.
 */
export async function fixedJob(): Promise<Job> {
  made ??= repairedJob();
  return copyJob(await made);
}

async function repairedJob(): Promise<Job> {
  const job = await startJob();
  await plan(job, { name: 'workflow_run', payload: workflowRunPayload(job.head) });
  const { outputs, stderr } = await fix(job, REPAIRS);
  if (outputs.verified !== 'true') throw new Error(`The example was not repaired: ${stderr}`);
  return job;
}

/** `verify` of what was fixed, in a fresh clone; it has no token. */
export function verify(
  job: Job,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Step> {
  const fresh = join(job.temp, 'verify');
  rmSync(fresh, { recursive: true, force: true });
  const { head } = JSON.parse(readFileSync(join(job.temp, 'plan', 'plan.json'), 'utf8')) as { head: string };
  git(job.temp, 'clone', '--quiet', '--no-checkout', job.bare, fresh);
  git(fresh, 'checkout', '--quiet', '--detach', head);
  const folders = ['--plan', join(job.temp, 'plan'), '--from', join(job.temp, 'fix')];
  return step(job, ['verify', ...folders, ...args], { cwd: fresh, env });
}

/** The output `tree` of a `verify` that confirms; without a sandbox, which not every machine has. */
export async function confirmedTree(job: Job): Promise<string> {
  return (await verify(job, ['--sandbox', 'off'])).outputs.tree ?? '';
}

/** Git id of the planned commit with the patch, which `verify` prints if it confirms it; empty without a patch that fits. */
export function patchedTree(job: Job): string {
  const patch = join(job.temp, 'fix', 'patch.diff');
  if (!existsSync(patch)) return '';
  const { head } = JSON.parse(readFileSync(join(job.temp, 'plan', 'plan.json'), 'utf8')) as { head: string };
  const env = { ...process.env, GIT_DIR: job.bare, GIT_INDEX_FILE: join(job.temp, 'patched-index') };
  const run = (...args: string[]): string =>
    execFileSync('git', args, { env, encoding: 'utf8', stdio: 'pipe' });
  try {
    run('read-tree', head);
    run('apply', '--cached', patch);
    return run('write-tree').trim();
  } catch {
    return '';
  }
}

/**
 * `publish` of what was fixed; it has the token, and runs where there is no checkout. Unless the arguments name a tree, it is
 * told that the patch was confirmed.
 */
export async function publish(job: Job, tryId = '4711-1', args: readonly string[] = []): Promise<Step> {
  const tree = args.includes('--tree') ? [] : ['--tree', patchedTree(job)];
  const from = ['--from', join(job.temp, 'fix'), '--try-id', tryId];
  return step(job, ['publish', '--remote', job.bare, ...from, ...tree, ...args], {
    cwd: job.temp,
    env: { GITHUB_TOKEN: job.github.token },
  });
}

/** A file of a branch of the remote. */
export function fileOf(job: Job, branch: string, path: string): string {
  return git(job.bare, 'show', `${branch}:${path}`);
}

/** Reads `GITHUB_OUTPUT` as the runner does: `name=value`, or `name<<MARK` with lines up to the mark. */
export function parseOutputs(text: string): Outputs {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const [, name, mark] = /^([^=<]+)<<(.+)$/.exec(lines[at]!) ?? [];
    if (name !== undefined && mark !== undefined) {
      const end = lines.indexOf(mark, at + 1);
      if (end === -1) throw new Error(`The output ${name} does not end.`);
      outputs[name] = lines.slice(at + 1, end).join('\n');
      at = end;
    } else if (lines[at]!.includes('=')) {
      const [key = '', ...rest] = lines[at]!.split('=');
      outputs[key] = rest.join('=');
    }
  }
  return outputs;
}
