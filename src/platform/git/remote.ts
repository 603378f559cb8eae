import type { SimpleGit } from 'simple-git';
import { ExitCode, RalphError } from '../../errors.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../files/temporary-folder.ts';
import { redact } from '../redaction/redact.ts';
import { endedWith } from './failures.ts';
import { runGit, type GitOutcome, type GitRequest } from './git.ts';
import { userGit, type UserGitRequest } from './user-git.ts';

/** Address of a repository, and how to get access to it. */
export interface RemoteAccess {
  /** A URL, or the path of a repository on this machine. */
  readonly url: string;
  /** Sent in a header, only to the host of the URL; undefined: the access that the user's git is set up with. */
  readonly token: string | undefined;
  /** `performance.now()` at which the time of the step is over: each command then gets little time. */
  readonly endsAt?: number | undefined;
}

type PlumbingRequest = Pick<GitRequest, 'input' | 'indexFile' | 'workTree'>;

/** A bare repository of our own to exchange commits with a remote: no files, no hooks, no configuration of its own. */
export interface RemoteDesk {
  /** Absolute path of the git directory. */
  readonly gitDir: string;
  /** Commit of a branch of the remote; undefined if there is no such branch. */
  tipOf(branch: string): Promise<string | undefined>;
  /** Whether the remote has a tag of this name. */
  hasTag(name: string): Promise<boolean>;
  /** Fetches the newest commit of a branch and returns its id. Throws RalphError if there is no such branch. */
  fetch(branch: string): Promise<string>;
  /**
   * Sets a branch of the remote to a commit, if the branch still is at `from`; undefined: if there is no such branch.
   * False if the branch is elsewhere. Throws RalphError for any other failure.
   */
  push(request: PushRequest): Promise<boolean>;
  /** Runs a plumbing command in the git directory and returns stdout. Throws RalphError if it fails. */
  git(args: readonly string[], request?: PlumbingRequest): Promise<Buffer>;
  /** Runs a plumbing command in the git directory. */
  run(args: readonly string[], request?: PlumbingRequest): Promise<GitOutcome>;
  /** Removes the git directory. */
  close(): void;
}

export interface PushRequest {
  readonly commit: string;
  readonly branch: string;
  readonly from: string | undefined;
  /** Push options for the server, for example `merge_request.create` of GitLab. */
  readonly options?: readonly string[];
}

const TIMEOUT_MS = 300_000;
/** For each command after the time of the step: enough to store how it ended. */
const LATE_TIMEOUT_MS = 20_000;
/** Messages of git after somebody else has changed the branch. */
const CHANGED_BY_OTHERS = /stale info|fetch first|non-fast-forward|cannot lock ref|reference already exists/i;

/** Opens a desk in the system's temporary folder. Throws RalphError if git cannot create a repository there. */
export async function openRemoteDesk({ url, token, endsAt }: RemoteAccess): Promise<RemoteDesk> {
  const gitDir = makeTemporaryFolder('remote');
  const timeoutMs = (): number =>
    Math.min(TIMEOUT_MS, Math.max(LATE_TIMEOUT_MS, (endsAt ?? Infinity) - performance.now()));
  const config = { ...PLAIN_CONFIG, ...remoteConfig({ url, token }) };
  // Unlike ralph's other git directories this one needs the user's configuration: keys, credential helpers, proxies.
  const run: RemoteDesk['run'] = (args, { workTree, input, indexFile } = {}) => {
    const place = [`--git-dir=${gitDir}`, ...(workTree === undefined ? [] : [`--work-tree=${workTree}`])];
    return runGit([...place, ...args], { cwd: gitDir, config, timeoutMs: timeoutMs(), input, indexFile });
  };
  const must: RemoteDesk['git'] = async (args, request) => {
    const outcome = await run(args, request);
    if (outcome.exitCode !== 0) throw remoteFailed(args[0] ?? '', url, outcome);
    return outcome.stdout;
  };
  const desk = (): UserGitRequest => ({
    ...{ cwd: gitDir, config, timeoutMs: timeoutMs(), variables: { GIT_DIR: gitDir } },
  });
  const mustTask = async <T>(command: string, task: (git: SimpleGit) => PromiseLike<T>): Promise<T> => {
    const answer = await userGit(desk(), task);
    if (!answer.ok) throw remoteFailed(command, url, answer.outcome);
    return answer.value;
  };
  await mustTask('init', (git) => git.init(true, ['--quiet', '--template=']));
  return {
    gitDir,
    git: must,
    run,
    async tipOf(branch) {
      const listed = await mustTask('ls-remote', (git) => git.listRemote([url, ref(branch)]));
      const line = listed.split('\n').find((it) => it.endsWith(`\t${ref(branch)}`));
      return line?.split('\t')[0];
    },
    async hasTag(name) {
      const tag = `refs/tags/${name}`;
      const listed = await mustTask('ls-remote', (git) => git.listRemote([url, tag]));
      return listed.split('\n').some((it) => it.endsWith(`\t${tag}`));
    },
    async fetch(branch) {
      const options = ['--quiet', '--no-tags', '--depth=1', '--no-recurse-submodules'];
      await mustTask('fetch', (git) => git.fetch(url, `+${ref(branch)}:${ref(branch)}`, options));
      return mustTask('rev-parse', (git) => git.revparse(['--verify', `${ref(branch)}^{commit}`]));
    },
    async push({ commit, branch, from, options = [] }) {
      const lease = `--force-with-lease=${ref(branch)}:${from ?? ''}`;
      const asked = options.flatMap((option) => ['-o', option]);
      const answer = await userGit(desk(), (git) =>
        git.push(url, `${commit}:${ref(branch)}`, ['--no-verify', lease, ...asked]),
      );
      if (answer.ok) return true;
      if (CHANGED_BY_OTHERS.test(messagesOf(answer.outcome))) return false;
      throw remoteFailed('push', url, answer.outcome);
    },
    close: () => removeTemporaryFolder(gitDir),
  };
}

/**
 * Pushes a branch of a user's repository to the branch of the same name, which does not exist there or is at an
 * ancestor of it. The user's hooks do not run. Throws RalphError with git's message.
 */
export async function pushBranch(root: string, branch: string, { url, token }: RemoteAccess): Promise<void> {
  const config = remoteConfig({ url, token });
  const answer = await userGit({ cwd: root, config, timeoutMs: TIMEOUT_MS }, (git) =>
    git.push(url, `${ref(branch)}:${ref(branch)}`, ['--no-verify']),
  );
  if (!answer.ok) throw remoteFailed('push', url, answer.outcome);
}

/**
 * Pushes a branch of a repository to the branch of the same name, which must not exist there: of several pushes of one
 * name, one succeeds. False if it exists. Hooks do not run. Throws RalphError with git's message.
 */
export async function pushNewBranch(root: string, branch: string, access: RemoteAccess): Promise<boolean> {
  const config = remoteConfig(access);
  const answer = await userGit({ cwd: root, config, timeoutMs: TIMEOUT_MS }, (git) =>
    git.push(access.url, `${ref(branch)}:${ref(branch)}`, [
      '--no-verify',
      `--force-with-lease=${ref(branch)}:`,
    ]),
  );
  if (answer.ok) return true;
  if (CHANGED_BY_OTHERS.test(messagesOf(answer.outcome))) return false;
  throw remoteFailed('push', access.url, answer.outcome);
}

/** Brings a bare mirror to the present state of the remote's branches and tags. Throws RalphError with git's message. */
export async function fetchMirror(gitDir: string, access: RemoteAccess): Promise<void> {
  const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
  const args = ['fetch', '--quiet', '--prune', '--no-recurse-submodules', access.url, ...refs];
  const request = {
    cwd: gitDir,
    config: remoteConfig(access),
    timeoutMs: TIMEOUT_MS,
    variables: { GIT_DIR: gitDir },
  };
  const answer = await userGit(request, (git) => git.raw(args));
  if (!answer.ok) throw remoteFailed('fetch', access.url, answer.outcome);
}

function remoteConfig({ url, token }: RemoteAccess): Record<string, string> {
  return { ...endsWhenSilent(TIMEOUT_MS), ...(token === undefined ? {} : accessConfig(url, token)) };
}

/** Git ends by itself if a server is silent for so long, also if ralph was killed meanwhile. */
export function endsWhenSilent(ms: number): Record<string, string> {
  return { 'http.lowSpeedLimit': '1', 'http.lowSpeedTime': String(Math.ceil(ms / 1000)) };
}

const PLAIN_CONFIG = {
  'core.attributesFile': '/dev/null',
  'core.autocrlf': 'false',
  'core.symlinks': 'false',
};

/**
 * Only for the host of the URL, and no stored token replaces it. Redirects are not followed: git sends the header to the new host
 * as well, once that has answered.
 */
function accessConfig(url: string, token: string): Record<string, string> {
  if (!/^https?:\/\//.test(url)) return {};
  const { origin } = new URL(url);
  const credentials = Buffer.from(`x-access-token:${token}`).toString('base64');
  return {
    [`http.${origin}/.extraheader`]: `AUTHORIZATION: basic ${credentials}`,
    'credential.helper': '',
    'http.followRedirects': 'false',
  };
}

function ref(branch: string): string {
  return `refs/heads/${branch}`;
}

function remoteFailed(command: string, url: string, outcome: GitOutcome): RalphError {
  const message = redact(messagesOf(outcome)).slice(0, 500) || endedWith(outcome.exitCode);
  return new RalphError(`git ${command} with ${withoutUser(url)} failed: ${message}`, {
    code: 'conflict',
    exitCode: ExitCode.workspace,
    hint: remedyFor(message),
  });
}

/**
 * One line with the messages of a command. A push by simple-git prints its rejections to stdout, one line for each
 * branch beginning with `!` (git-push(1), --porcelain), and its progress to stderr.
 */
function messagesOf({ stdout, stderr }: GitOutcome): string {
  const messages = stderr.split('\n').filter((line) => !/^Pushing to |^POST git-/.test(line));
  const rejections = stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  return [...messages, ...rejections].join(' ').replace(/\s+/g, ' ').trim();
}

function remedyFor(message: string): string {
  if (/protected branch|protected ref|GH006|GH013|rule violations/i.test(message))
    return 'A rule of the server protects the branch. Allow pushes to it, or choose another branch with --branch-prefix or --memory-branch.';
  if (/workflow.* scope|workflows.* permission/i.test(message))
    return 'The token may not change workflows, and ralph changes none: a newer commit of the base branch did. Update the branch and run it again.';
  if (/authentication|could not read Username|403|denied|permission/i.test(message))
    return 'Set GITHUB_TOKEN to a token with the permission contents: write, or set up git with one.';
  if (/returned error: 30\d|redirect/i.test(message))
    return 'The repository has moved. Give git its new address: git remote set-url origin URL';
  return 'Check the address and the network, and run it again.';
}

function withoutUser(url: string): string {
  return url.replace(/^(\w+:\/\/)[^@/]*@/, '$1');
}
