import { RalphError, usageError } from '../errors.ts';
import type { GitHub } from './github/client.ts';
import { REPORT_CHARS, renderPull } from './github/pull-request.ts';
import { readLoopRecord } from '../report/data/loop-record.ts';
import { renderMarkdown } from '../report/markdown.ts';
import type { Verdict } from '../schema/generated.ts';
import { redact } from '../platform/redaction/redact.ts';
import { git, splitNul } from '../platform/git/git.ts';
import { openRemoteDesk, pushBranch, type RemoteAccess } from '../platform/git/remote.ts';
import { openPlace, type Environment } from './ground.ts';
import type { Project } from '../compose/project.ts';

/**
 * Makes ready to bring a verified result as a pull request, and refuses before anything is paid for: no remote, none of
 * GitHub's, no token. What it gives pushes the branch of the result and opens the pull request, and says which. An
 * unverified result is not brought. Throws RalphError; the branch then stays in the user's repository.
 */
export async function openPullRequestPublisher(
  { repository }: Project,
  env: Environment,
): Promise<(verdict: Verdict) => Promise<string>> {
  const { root, head, branch } = repository;
  const { remote, github, runUrl } = await openPlace({ cwd: root, env, warn: () => {} });
  if (github === undefined) throw noGitHub(remote.url);
  return async (verdict) => {
    const { verified, branch: result, loop_id: loopId } = verdict;
    if (!verified) return 'No pull request: the result is not verified.';
    if (result === undefined || loopId === null) return 'No pull request: there was nothing to change.';
    try {
      await pushBranch(root, result, remote);
      const base = await baseOf(branch, { remote, github });
      const changed = splitNul(await git(['diff', '--name-only', '-z', head, result], { cwd: root }));
      const report = renderMarkdown(await readLoopRecord(root, loopId), { maxChars: REPORT_CHARS });
      const claim = { branch: base, head, id: loopId };
      const { body } = renderPull({ claim, files: changed.map(String), report: redact(report), runUrl });
      const title = (await git(['log', '-1', '--format=%s', result], { cwd: root })).toString('utf8').trim();
      const pull = await github.upsertPull({
        head: result,
        base,
        title: title.slice(0, 200),
        body,
        draft: false,
      });
      return `${pull.created ? 'Opened' : 'Updated'} pull request #${pull.number}: ${pull.url}`;
    } catch (error) {
      throw stillThere(error, result);
    }
  };
}

/** The branch that the user is on, where the remote has it; else the default one. */
async function baseOf(
  branch: string | null,
  { remote, github }: { readonly remote: RemoteAccess; readonly github: GitHub },
): Promise<string> {
  if (branch === null) return github.defaultBranch();
  const desk = await openRemoteDesk(remote);
  try {
    return (await desk.tipOf(branch)) === undefined ? await github.defaultBranch() : branch;
  } finally {
    desk.close();
  }
}

function noGitHub(url: string): RalphError {
  return usageError(
    `--create-pr: the remote ${url.replace(/^(\w+:\/\/)[^@/]*@/, '$1')} is no repository of GitHub.`,
    'Of GitHub Enterprise, set GITHUB_SERVER_URL. Elsewhere: ralph run --branch, then push the branch.',
  );
}

function stillThere(error: unknown, branch: string): unknown {
  if (!(error instanceof RalphError)) return error;
  const { message, code, exitCode, hint = '' } = error;
  const kept = `The verified result is on your branch ${branch}: git push origin ${branch}`;
  return new RalphError(message, { code, exitCode, hint: [hint, kept].join('\n').trim(), cause: error });
}
