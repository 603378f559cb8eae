import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import { redact } from '../redaction/redact.ts';
import { git, runGit, type GitOutcome, type GitRequest } from './git.ts';

/** A repository elsewhere, and what opens it. */
export interface RemoteAccess {
  /** A URL, or the path of a repository on this machine. */
  readonly url: string;
  /** Sent to the URL's own host alone, in a header; undefined: what git is set up with decides. */
  readonly token: string | undefined;
}

/** A bare repository of our own for traffic with a remote: no files, no hooks, no configuration but ours. */
export interface RemoteDesk {
  /** Absolute path of the git directory. */
  readonly gitDir: string;
  /** Commit of a branch of the remote; undefined where it has none. */
  tipOf(branch: string): Promise<string | undefined>;
  /** Brings a branch's newest commit alone here; gives it. Throws RalphError where there is no such branch. */
  fetch(branch: string): Promise<string>;
  /**
   * Puts a commit on a branch of the remote, provided that the branch is still where it is believed to be (`from`;
   * undefined: that there is none). False where it is not.
   */
  push(request: PushRequest): Promise<boolean>;
  /** A git command in the git directory. Throws RalphError where it fails. */
  git(
    args: readonly string[],
    request?: Pick<GitRequest, 'input' | 'indexFile' | 'workTree'>,
  ): Promise<Buffer>;
  run(
    args: readonly string[],
    request?: Pick<GitRequest, 'input' | 'indexFile' | 'workTree'>,
  ): Promise<GitOutcome>;
  close(): void;
}

export interface PushRequest {
  readonly commit: string;
  readonly branch: string;
  readonly from: string | undefined;
  /** For the server: `merge_request.create` of GitLab, say. */
  readonly options?: readonly string[];
}

const TIMEOUT_MS = 300_000;
/** By which git says that somebody was faster. */
const OUTRUN = /stale info|fetch first|non-fast-forward|cannot lock ref|reference already exists/i;

/** Opens a desk in the system's temporary folder. Throws RalphError where git cannot make a repository there. */
export async function openRemoteDesk({ url, token }: RemoteAccess): Promise<RemoteDesk> {
  const gitDir = mkdtempSync(join(tmpdir(), 'ralph-remote-'));
  // The user's own access (keys, helpers, proxies) is needed: so this is not run as in ralph's own git directories.
  const config = { ...plainConfig, ...(token !== undefined && accessConfig(url, token)) };
  const run: RemoteDesk['run'] = (args, request = {}) =>
    runGit([`--git-dir=${gitDir}`, ...worktreeOf(request.workTree), ...args], {
      ...{ cwd: gitDir, config, timeoutMs: TIMEOUT_MS },
      ...(request.input !== undefined && { input: request.input }),
      ...(request.indexFile !== undefined && { indexFile: request.indexFile }),
    });
  const must: RemoteDesk['git'] = async (args, request) => {
    const outcome = await run(args, request);
    if (outcome.exitCode !== 0) throw remoteFailed(args[0] ?? '', url, outcome);
    return outcome.stdout;
  };
  await git(['init', '--bare', '--quiet', '--template=', gitDir], { cwd: gitDir });
  return {
    gitDir,
    git: must,
    run,
    async tipOf(branch) {
      const listed = textOf(await must(['ls-remote', url, ref(branch)]));
      const line = listed.split('\n').find((it) => it.endsWith(`\t${ref(branch)}`));
      return line?.split('\t')[0];
    },
    async fetch(branch) {
      await must([
        'fetch',
        '--quiet',
        '--no-tags',
        '--depth=1',
        '--no-recurse-submodules',
        url,
        `+${ref(branch)}:${ref(branch)}`,
      ]);
      return textOf(await must(['rev-parse', '--verify', `${ref(branch)}^{commit}`]));
    },
    async push({ commit, branch, from, options = [] }) {
      const lease = `--force-with-lease=${ref(branch)}:${from ?? ''}`;
      const asked = options.flatMap((option) => ['-o', option]);
      const args = ['push', '--quiet', '--no-verify', lease, ...asked, url, `${commit}:${ref(branch)}`];
      const outcome = await run(args);
      if (outcome.exitCode === 0) return true;
      if (OUTRUN.test(outcome.stderr)) return false;
      throw remoteFailed('push', url, outcome);
    },
    close: () => rmSync(gitDir, { recursive: true, force: true }),
  };
}

/**
 * Pushes a branch of a user's repository, under the same name, to a place where there is none of that name or the same
 * commit. The user's hooks do not run. Throws RalphError with git's words.
 */
export async function pushBranch(root: string, branch: string, { url, token }: RemoteAccess): Promise<void> {
  const config = token === undefined ? {} : accessConfig(url, token);
  const args = ['push', '--quiet', '--no-verify', url, `${ref(branch)}:${ref(branch)}`];
  const outcome = await runGit(args, { cwd: root, config, timeoutMs: TIMEOUT_MS });
  if (outcome.exitCode !== 0) throw remoteFailed('push', url, outcome);
}

const plainConfig = {
  'core.attributesFile': '/dev/null',
  'core.autocrlf': 'false',
  'core.symlinks': 'false',
};

/** For the one host: a redirect elsewhere does not get the token, and no stored one takes its place. */
function accessConfig(url: string, token: string): Record<string, string> {
  if (!/^https?:\/\//.test(url)) return {};
  const { origin } = new URL(url);
  const credentials = Buffer.from(`x-access-token:${token}`).toString('base64');
  return {
    [`http.${origin}/.extraheader`]: `AUTHORIZATION: basic ${credentials}`,
    'credential.helper': '',
    'http.followRedirects': 'initial',
  };
}

function worktreeOf(workTree: string | undefined): string[] {
  return workTree === undefined ? [] : [`--work-tree=${workTree}`];
}

function ref(branch: string): string {
  return `refs/heads/${branch}`;
}

function remoteFailed(command: string, url: string, { stderr, exitCode }: GitOutcome): RalphError {
  const said =
    redact(stderr).replace(/\s+/g, ' ').trim().slice(0, 500) || `it ended with ${exitCode ?? 'a signal'}`;
  return new RalphError(`git ${command} with ${withoutUser(url)} failed: ${said}`, {
    code: 'conflict',
    exitCode: ExitCode.workspace,
    hint: remedyFor(said),
  });
}

function remedyFor(said: string): string {
  if (/protected branch|protected ref|GH006|GH013|rule violations/i.test(said))
    return 'A rule of the server protects the branch: let it be pushed to, or choose another with --branch-prefix or --memory-branch.';
  if (/workflow.* scope|workflows.* permission/i.test(said))
    return 'The token may not change workflows, and ralph never does: the branch is older than such a change. Update it and run again.';
  if (/authentication|could not read Username|403|denied|permission/i.test(said))
    return 'Set GITHUB_TOKEN to a token that may write here (contents: write), or set git up with one.';
  return 'Check the address and the network, and run it again.';
}

function withoutUser(url: string): string {
  return url.replace(/^(\w+:\/\/)[^@/]*@/, '$1');
}

function textOf(output: Buffer): string {
  return output.toString('utf8').trim();
}
