import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ExitCode, RalphError, messageOf, type ErrorCode } from '../errors.ts';
import { ensureRalphFolder } from '../platform/ralph-folder.ts';
import { gitFailed, runGit } from '../platform/git/git.ts';
import { userGit, type GitAnswer } from '../platform/git/user-git.ts';
import { readUserIndex } from './snapshots/user-index.ts';
import { UNFINISHED } from './unfinished.ts';
import { shareUserConfig } from './user-config.ts';

/** The user's repository. */
export interface Repository {
  /** Absolute real path of the work tree's root. */
  readonly root: string;
  /** Absolute real path of the folder that ralph was started in. */
  readonly packageStart: string;
  /** Absolute path of the git directory. */
  readonly gitDir: string;
  /** Absolute path of the git directory that all worktrees of the repository share. */
  readonly commonDir: string;
  /** Commit that is checked out. */
  readonly head: string;
  /** Name of the branch that is checked out; null for a detached HEAD. */
  readonly branch: string | null;
}

/**
 * Finds the repository of a folder and verifies that ralph can work on it. Throws RalphError with exit code 4 and a remedy
 * if there is no repository, or it is bare, unreadable or not writable, or has no commits, unresolved conflicts, or an
 * unfinished merge, rebase, cherry-pick, revert or bisect; the latter may be there where a hook of git looks at the commit that
 * concludes it (`isConcluded`).
 */
export async function openRepository(cwd: string, { isConcluded = false } = {}): Promise<Repository> {
  const packageStart = realFolder(cwd);
  const found = (await askAtOnce(packageStart)) ?? (await askOneByOne(packageStart));
  if (!isConcluded) refuseUnfinished(found);
  await refuseConflicts(found);
  ensureRalphFolder(found.root);
  return { packageStart, ...found };
}

/** The same repository, entered in another folder of it. Throws RalphError with exit code 4 if that cannot be read. */
export function enterAt(repository: Repository, folder: string): Repository {
  const entered = { ...repository, packageStart: realFolder(folder) };
  shareUserConfig(repository, entered);
  return entered;
}

type Found = Omit<Repository, 'packageStart'>;

const QUESTIONS = [
  ...['--is-inside-work-tree', '--is-bare-repository', '--show-toplevel'],
  ...['--absolute-git-dir', '--git-common-dir', 'HEAD^{commit}', '--abbrev-ref=loose', 'HEAD'],
];

/**
 * All in one call, as plumbing, which loads fewer modules; undefined where something is amiss, or a name with a line end
 * makes the answers ambiguous.
 */
async function askAtOnce(cwd: string): Promise<Found | undefined> {
  const { exitCode, stdout } = await runGit(['rev-parse', ...QUESTIONS], { cwd });
  if (exitCode !== 0) return undefined;
  const answers = stdout.toString('utf8').replace(/\n$/, '').split('\n');
  if (answers.length !== 7) return undefined;
  const [inside, bare, root, gitDir, commonDir, head, branch] = answers as [
    ...[string, string, string, string],
    ...[string, string, string],
  ];
  if (inside !== 'true' || bare !== 'false') return undefined;
  return {
    root,
    gitDir,
    commonDir: resolve(cwd, commonDir),
    head,
    branch: branch === 'HEAD' ? null : branch,
  };
}

/** Throws RalphError with what is amiss. */
async function askOneByOne(cwd: string): Promise<Found> {
  await refuseUnlessWorkTree(cwd);
  const root = await ask(['rev-parse', '--show-toplevel'], cwd);
  const gitDir = await ask(['rev-parse', '--absolute-git-dir'], root);
  const commonDir = resolve(root, await ask(['rev-parse', '--git-common-dir'], root));
  const head = await readHead(root);
  const branch = await run(['symbolic-ref', '-q', '--short', 'HEAD'], root);
  return { root, gitDir, commonDir, head, branch: branch.ok ? branch.value : null };
}

const START = 'git init && git add -A && git commit -m "start"';

function realFolder(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch (cause) {
    throw refused('repository_unusable', `${cwd} cannot be read: ${messageOf(cause)}`);
  }
}

async function refuseUnlessWorkTree(cwd: string): Promise<void> {
  const args = ['rev-parse', '--is-inside-work-tree', '--is-bare-repository'];
  const answer = await run(args, cwd);
  if (!answer.ok) throw whyNoRepository(cwd, answer.outcome.stderr);
  const [inside, bare] = answer.value.split('\n');
  if (bare === 'true') {
    throw refused('repository_unusable', `${cwd} is a bare repository: it has no files.`, 'git clone it.');
  }
  if (inside === 'true') return;
  const isInGit = await run(['rev-parse', '--is-inside-git-dir'], cwd);
  const named = await run(['config', 'core.worktree'], cwd);
  if (isInGit.ok && isInGit.value === 'false' && named.ok && named.value !== '')
    throw refused(
      'repository_unusable',
      `core.worktree in the configuration of git says that the files of the repository are in ${named.value}, and not in ${cwd}.`,
      'git config --unset core.worktree',
    );
  throw refused('repository_unusable', `${cwd} is inside a .git folder.`, "cd to the repository's files.");
}

function whyNoRepository(cwd: string, stderr: string): RalphError {
  if (/not a git repository/.test(stderr)) {
    return refused('no_repository', `${cwd} is not in a git repository.`, START);
  }
  const unsafe = /safe\.directory (\S.*)/.exec(stderr)?.[1];
  if (unsafe !== undefined) {
    const remedy = `git config --global --add safe.directory ${unsafe}`;
    return refused('repository_unusable', `git refuses ${cwd}: another user owns the repository.`, remedy);
  }
  return refused('repository_unusable', `git cannot read ${cwd}: ${stderr.trim().slice(0, 500)}`, 'git fsck');
}

async function readHead(root: string): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const answer = await run(args, root);
  if (answer.ok) return answer.value;
  const named = await run(['rev-parse', '--verify', '--quiet', 'HEAD'], root);
  if (named.ok) {
    throw refused('repository_unusable', `HEAD of ${root} names a commit that cannot be read.`, 'git fsck');
  }
  const remedy = 'git add -A && git commit -m "start"';
  throw refused('no_commits', `The repository ${root} has no commits.`, remedy);
}

function refuseUnfinished({ root, gitDir }: Found): void {
  const found = UNFINISHED.find(([file]) => existsSync(join(gitDir, file)));
  if (found !== undefined) {
    throw refused('repository_unusable', `In ${root} ${found[1]} is in progress.`, found[2]);
  }
}

async function refuseConflicts({ root, gitDir }: Found): Promise<void> {
  const index = await readUserIndex({ root, gitDir });
  if (!index.hasConflicts) return;
  const remedy = 'Resolve them and run git add on them (git status lists them).';
  throw refused('repository_unusable', `${root} has unresolved conflicts.`, remedy);
}

async function ask(args: readonly string[], cwd: string): Promise<string> {
  const answer = await run(args, cwd);
  if (!answer.ok) throw gitFailed(args, answer.outcome);
  return answer.value;
}

/** Stdout without git's final line end. `revparse` of simple-git trims more, and a folder's name may end in a space. */
function run(args: readonly string[], cwd: string): Promise<GitAnswer<string>> {
  return userGit({ cwd }, (git) => git.raw([...args]).then((text) => text.replace(/\n$/, '')));
}

function refused(code: ErrorCode, message: string, hint?: string): RalphError {
  return new RalphError(message, { code, exitCode: ExitCode.workspace, hint });
}
