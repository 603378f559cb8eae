import type { RemoteDesk } from '../platform/git/remote.ts';
import type { CiBranch, CiFix } from '../schema/generated.ts';
import { commitPatch, type CommitAuthor } from '../workspace/deliver/verified-commit.ts';
import { changedContents } from './changed-contents.ts';
import { examineCommit } from './examine-commit.ts';
import { readPatch, renderFix } from './fix-folder.ts';
import type { GitHub } from './github/client.ts';
import { REPORT_CHARS, renderPull, renderTitle } from './github/pull-request.ts';
import type { ClaimedTry, Outcome, PublishOptions } from './publish.ts';
import { pushedFor } from './rules/ledger.ts';

/** How a fix is pushed and shown. */
export interface PushSettings {
  /** Git id of the tree that `ralph ci verify` confirmed; undefined: it confirmed none. */
  readonly tree: string | undefined;
  /** Globs of protected files that the fix may change. */
  readonly allow: readonly string[];
  readonly draft: boolean;
  /** Values of `git push -o`. */
  readonly pushOptions: readonly string[];
  /** Title with `{branch}` in it. */
  readonly title?: string | undefined;
  /** Labels of the pull request. */
  readonly labels: readonly string[];
  /** Users and teams (`octo-org/team`) that are asked for a review. */
  readonly reviewers: readonly string[];
  readonly author?: CommitAuthor | undefined;
  /** GitHub makes the commit, and signs it for the tokens of Actions and of Apps. */
  readonly sign: boolean;
}

/**
 * Makes the commit of a fix from its patch, examines it, pushes it to its branch, and opens or updates the one pull
 * request. `onPushed` is called after the push and after the pull request. Throws RalphError if GitHub or the remote fails.
 */
export async function pushFix(
  options: PublishOptions,
  { desk, ledger, claim }: ClaimedTry,
  fix: CiFix,
  onPushed: (pushed: CiBranch) => void,
): Promise<Outcome> {
  const { remote, settings, from, allow, author, title, tree, pushOptions } = options;
  const patch = await readPatch(from);
  const fetched = await desk.fetch(claim.branch);
  if (patch === undefined) return refused('bad_patch', 'The patch is missing or too long.');
  if (fetched !== claim.head) return refused('bad_patch', `The branch ${claim.branch} has moved.`);
  // Nothing of it is text of the branch or of the fix job, which could skip CI, close issues or mention people.
  const message = `${renderTitle(claim.branch, title)}\n\nEvery check passes with it.\n\nRalph-Loop: ${fix.verdict.loop_id!}\n`;
  const made = await commitPatch(desk, { patch, head: claim.head, message, allow, author });
  if (!made.ok) return refused('bad_patch', made.problem);
  const problem = await examineCommit(desk, { head: claim.head, commit: made.commit, allow });
  if (problem !== undefined) return refused('bad_patch', problem);
  if (made.tree !== tree)
    return refused('other_tree', 'The patch is not the one that ralph ci verify confirmed.');
  const branch = `${settings.branchPrefix}${claim.branch}`;
  const before = pushedFor(ledger, claim.branch);
  const tip = await desk.tipOf(branch);
  if (tip !== undefined && tip !== before?.tip) return branchEdited(branch);
  // Pushed by an earlier run of this job that could not open the pull request.
  const isPushed = claim.state === 'unopened' && tip !== undefined && before?.head === claim.head;
  const { github, runUrl } = remote;
  const pushing = { ...made, head: claim.head, message, branch, from: tip };
  const commit = isPushed
    ? tip
    : options.sign && github !== undefined
      ? await pushSigned(desk, github, pushing)
      : (await desk.push({ ...pushing, options: pushOptions }))
        ? made.commit
        : undefined;
  if (commit === undefined) return branchEdited(branch);
  const entry = { branch: claim.branch, tip: commit, head: claim.head };
  onPushed({ ...entry, pull: before?.pull });
  if (github === undefined)
    return { published: true, reason: 'published', branch, text: `Pushed the fix to ${branch}.` };
  const report = await renderFix(from, fix, REPORT_CHARS);
  const text = renderPull({ claim, files: made.files, report, runUrl, title });
  const pull = await openPull(github, { ...text, head: branch, base: claim.branch }, options);
  onPushed({ ...entry, pull: pull.number });
  const word = pull.created ? 'Opened' : 'Updated';
  const sentence = `${word} pull request #${pull.number}: ${pull.url}${pull.problem}`;
  return { published: true, reason: 'published', branch, pull, text: sentence };
}

/** A result that is not published. */
export function refused(reason: string, text: string): Outcome {
  return { published: false, reason, text };
}

interface Pushing {
  readonly commit: string;
  readonly tree: string;
  readonly head: string;
  readonly message: string;
  readonly branch: string;
  /** Commit of the branch now. */
  readonly from: string | undefined;
}

/** The commit that GitHub made with the same tree; undefined if it could not make it. */
async function pushSigned(
  desk: RemoteDesk,
  github: GitHub,
  { commit, tree, head, message, branch, from }: Pushing,
): Promise<string | undefined> {
  const changed = await changedContents(desk, head, commit);
  const files = changed.map(({ path, isExecutable, content }) => ({
    ...{ path, content },
    mode: isExecutable ? '100755' : '100644',
  }));
  const signed = await github.commit({ parent: head, tree, message, files });
  if (signed === undefined || (await desk.tipOf(branch)) !== from) return undefined;
  await github.setBranch(branch, signed, from !== undefined);
  return signed;
}

/** Opens or updates the pull request. `problem`: labels or reviewers that could not be set, as a sentence. */
async function openPull(
  github: GitHub,
  text: { readonly head: string; readonly base: string; readonly title: string; readonly body: string },
  { draft, labels, reviewers }: PushSettings,
): Promise<NonNullable<Outcome['pull']> & { readonly problem: string }> {
  const pull = await github.upsertPull({ ...text, draft });
  try {
    if (labels.length > 0) await github.addLabels(pull.number, labels);
    // Asking again after each update would send a mail each time.
    if (reviewers.length > 0 && pull.created) await github.requestReviews(pull.number, reviewers);
    return { ...pull, problem: '' };
  } catch (error) {
    return { ...pull, problem: ` (labels or reviewers: ${(error as Error).message})` };
  }
}

function branchEdited(branch: string): Outcome {
  const text = `${branch} holds commits that ralph did not make, so it is not overwritten. Merge or delete it.`;
  return { ...refused('branch_edited', text), branch };
}
