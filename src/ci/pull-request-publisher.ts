import { RalphError, usageError } from '../errors.ts';
import type { Project } from '../compose/project.ts';
import { git, splitNul } from '../platform/git/git.ts';
import { userGit } from '../platform/git/user-git.ts';
import { openRemoteDesk, pushBranch, type RemoteAccess } from '../platform/git/remote.ts';
import { redact } from '../platform/redaction/redact.ts';
import { readLoopRecord } from '../report/data/loop-record.ts';
import { renderMarkdown } from '../report/markdown.ts';
import type { Verdict } from '../schema/generated.ts';
import type { GitHub } from './github/client.ts';
import { REPORT_CHARS, renderPull } from './github/pull-request.ts';
import { openCiRemote, type Environment } from './remote.ts';

const MAX_TITLE_CHARS = 200;

/**
 * Pushes the branch of a verified result, opens or updates its pull request, and returns one sentence for the terminal.
 * An unverified result is not pushed. Throws RalphError; the branch stays in the user's repository.
 */
export type PullRequestPublisher = (verdict: Verdict) => Promise<string>;

/**
 * Opens the publisher of `ralph run --create-pr`. Throws RalphError if the repository has no GitHub remote or no token
 * is set: called before the loop, so that nothing has been paid for yet.
 */
export async function openPullRequestPublisher(
  project: Project,
  env: Environment,
): Promise<PullRequestPublisher> {
  const { access, open } = await preparePullRequests(project, { env });
  return async (verdict) => {
    const { verified, branch, loop_id: loopId } = verdict;
    if (!verified) return 'No pull request: the result is not verified.';
    if (branch === undefined || loopId === null) return 'No pull request: nothing was changed.';
    try {
      await pushBranch(project.repository.root, branch, access);
      return await open({ branch, loopId });
    } catch (error) {
      throw withBranchHint(error, branch);
    }
  };
}

/** A branch of the user's repository that the remote has, too. */
export interface PushedResult {
  readonly branch: string;
  readonly loopId: string;
}

/** A remote on GitHub that pull requests can be opened for. */
export interface PullRequests {
  readonly access: RemoteAccess;
  /** Opens or updates the pull request of a branch, and returns one sentence. Throws RalphError. */
  readonly open: (result: PushedResult) => Promise<string>;
}

/**
 * Finds the remote for pull requests. `remote`: URL of the repository, if it is known. Throws RalphError if the repository
 * has no GitHub remote or no token is set.
 */
export async function preparePullRequests(
  { repository }: Project,
  { env, remote }: { readonly env: Environment; readonly remote?: string },
): Promise<PullRequests> {
  const { root, head, branch: current } = repository;
  const { access, github, runUrl } = await openCiRemote({ cwd: root, env, remote, warn: () => {} });
  if (github === undefined) throw notOnGitHub(access.url);
  return {
    access,
    async open({ branch, loopId }) {
      const base = await baseBranch(current, { access, github });
      const changed = splitNul(await git(['diff', '--name-only', '-z', head, branch], { cwd: root }));
      const report = renderMarkdown(await readLoopRecord(root, loopId), { maxChars: REPORT_CHARS });
      const claim = { branch: base, head, id: loopId };
      const { body } = renderPull({ claim, files: changed.map(String), report: redact(report), runUrl });
      const subject = await userGit({ cwd: root }, (user) => user.raw(['log', '-1', '--format=%s', branch]));
      const title = (subject.ok ? subject.value.trim() : branch).slice(0, MAX_TITLE_CHARS);
      const pull = await github.upsertPull({ head: branch, base, title, body, draft: false });
      return `${pull.created ? 'Opened' : 'Updated'} pull request #${pull.number}: ${pull.url}`;
    },
  };
}

/** The user's current branch if the remote has it; otherwise the default branch. */
async function baseBranch(
  branch: string | null,
  { access, github }: { readonly access: RemoteAccess; readonly github: GitHub },
): Promise<string> {
  if (branch === null) return github.defaultBranch();
  const desk = await openRemoteDesk(access);
  try {
    return (await desk.tipOf(branch)) === undefined ? await github.defaultBranch() : branch;
  } finally {
    desk.close();
  }
}

function notOnGitHub(url: string): RalphError {
  return usageError(
    `No pull request can be opened: the remote ${url.replace(/^(\w+:\/\/)[^@/]*@/, '$1')} is not a GitHub repository.`,
    'For GitHub Enterprise, set GITHUB_SERVER_URL. Elsewhere: ralph run --branch, then push the branch.',
  );
}

function withBranchHint(error: unknown, branch: string): unknown {
  if (!(error instanceof RalphError)) return error;
  const { message, code, exitCode, hint = '' } = error;
  const kept = `The verified result is on your branch ${branch}: git push origin ${branch}`;
  return new RalphError(message, { code, exitCode, hint: [hint, kept].join('\n').trim(), cause: error });
}
