import type { RemoteDesk } from '../platform/git/remote.ts';
import type { CiBranch, CiFix } from '../schema/generated.ts';
import { commitPatch, type CommitAuthor } from '../workspace/deliver/verified-commit.ts';
import { changedContents } from './changed-contents.ts';
import { examineCommit } from './examine-commit.ts';
import type { ConfirmedTree } from './confirmed-tree.ts';
import { readPatch, renderFix } from './fix-folder.ts';
import type { GitHub } from './github/client.ts';
import { REPORT_CHARS, renderPull, renderTitle } from './github/pull-request.ts';
import type { ClaimedTry, Outcome, PublishOptions } from './publish.ts';
import { pushedFor } from './rules/ledger.ts';

const MAX_NAMED = 5;

/** How a fix is pushed and shown. */
export interface PushSettings {
  /** The tree that `ralph ci verify` confirmed; undefined: it confirmed none. */
  readonly tree: ConfirmedTree | undefined;
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
  /** False: only the branch is pushed. */
  readonly pullRequest: boolean;
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
  const made = await commitPatch(desk, {
    patch,
    head: claim.head,
    message,
    allow,
    author,
    leftOut: tree?.leftOut,
  });
  if (!made.ok) return refused('bad_patch', made.problem);
  const problems = await examineCommit(desk, { head: claim.head, commit: made.commit, allow });
  if (problems.length > 0) return refused('bad_patch', problems.join(' '));
  if (made.tree !== tree?.id)
    return refused('other_tree', 'The patch is not the one that ralph ci verify confirmed.');
  const branch = `${settings.branchPrefix}${claim.branch}`;
  const before = pushedFor(ledger, claim.branch);
  const tip = await desk.tipOf(branch);
  const isOwn = (at: string): Promise<boolean> =>
    holdsFix(desk, { branch, at, tree: made.tree, head: claim.head });
  const isSame = tip !== undefined && tip !== before?.tip && (await isOwn(tip));
  // A branch that ends at the head of the other one holds no commit of its own.
  const isFree = tip === undefined || tip === before?.tip || tip === claim.head;
  if (!isFree && !isSame) return branchEdited(branch);
  // Pushed by an earlier run of this job that could not open the pull request, or did not see the end of the push.
  const isPushed = isSame || (claim.state === 'unopened' && tip !== undefined && before?.head === claim.head);
  const { github, runUrl } = remote;
  const pushing = { ...made, head: claim.head, message, branch, from: tip };
  const commit = isPushed
    ? tip
    : options.sign && github !== undefined
      ? await pushSigned(desk, github, pushing)
      : await pushOnce(desk, { ...pushing, options: pushOptions }, isOwn);
  if (commit === undefined)
    return (await desk.tipOf(branch)) === undefined ? nameTaken(branch) : branchEdited(branch);
  if (typeof commit !== 'string') return commit;
  const entry = { branch: claim.branch, tip: commit, head: claim.head };
  onPushed({ ...entry, pull: before?.pull });
  if (github === undefined || !options.pullRequest)
    return {
      published: true,
      reason: 'published',
      branch,
      text: `Pushed the fix to ${branch}.${notPart(made.leftOut)}`,
    };
  const report = await renderFix(from, fix, REPORT_CHARS);
  const text = renderPull({
    ...{ claim, files: made.files, leftOut: made.leftOut, isUntried: tree.isUntried },
    unrun: tree.unrun?.flatMap(({ file, ...lines }) => {
      const path = made.files[file];
      return path === undefined ? [] : [{ path, ...lines }];
    }),
    ...{ report, runUrl, title },
  });
  const pull = await openPull(github, { ...text, head: branch, base: claim.branch }, options);
  onPushed({ ...entry, pull: pull.number });
  const word = pull.created ? 'Opened' : 'Updated';
  const sentence = `${word} pull request #${pull.number}: ${pull.url}${pull.problem}${notPart(made.leftOut)}`;
  return { published: true, reason: 'published', branch, pull, text: sentence };
}

/** A sentence for the log on files that were left out. */
function notPart(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const shown = paths
    .slice(0, MAX_NAMED)
    .map((path) => JSON.stringify(path))
    .join(', ');
  return `. Not part of the fix, as no check needs it: ${shown}${paths.length > MAX_NAMED ? ', …' : ''}; --allow keeps it.`;
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

/** The pushed commit; undefined if the branch is elsewhere. A push whose answer is lost is looked up. */
async function pushOnce(
  desk: RemoteDesk,
  request: Parameters<RemoteDesk['push']>[0],
  isOwn: (at: string) => Promise<boolean>,
): Promise<string | undefined> {
  const found = async (): Promise<string | undefined> => {
    const tip = await desk.tipOf(request.branch);
    return tip !== undefined && tip !== request.from && (await isOwn(tip)) ? tip : undefined;
  };
  try {
    return (await desk.push(request)) ? request.commit : await found();
  } catch (error) {
    const tip = await found().catch(() => undefined);
    if (tip === undefined) throw error;
    return tip;
  }
}

/** Whether a commit of a branch is a fix of the commit, with the confirmed tree and nothing else. */
async function holdsFix(
  desk: RemoteDesk,
  {
    branch,
    at,
    tree,
    head,
  }: {
    readonly branch: string;
    readonly at: string;
    readonly tree: string;
    readonly head: string;
  },
): Promise<boolean> {
  if ((await desk.fetch(branch)) !== at) return false;
  const commit = (await desk.git(['cat-file', 'commit', at])).toString('utf8').split('\n\n', 1)[0]!;
  const parents = commit.split('\n').filter((line) => line.startsWith('parent '));
  return commit.startsWith(`tree ${tree}\n`) && parents.length === 1 && parents[0] === `parent ${head}`;
}

/** The commit that GitHub made with the same tree, or why it is not used; undefined if the branch is elsewhere. */
async function pushSigned(
  desk: RemoteDesk,
  github: GitHub,
  { commit, tree, head, message, branch, from }: Pushing,
): Promise<string | Outcome | undefined> {
  const changed = await changedContents(desk, head, commit);
  const files = changed.map(({ path, isExecutable, content }) => ({
    ...{ path, content },
    mode: isExecutable ? '100755' : '100644',
  }));
  const signed = await github.commit({ parent: head, tree, message, files });
  if (signed === undefined)
    return refused('other_tree', 'GitHub made another tree of the files than the one that was confirmed.');
  if ((await desk.tipOf(branch)) !== from) return undefined;
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

function nameTaken(branch: string): Outcome {
  const text = `${branch} cannot be made: the remote refuses the name, as it does where a branch below it exists (${branch}/…). Delete that one, or choose another --branch-prefix.`;
  return refused('branch_edited', text);
}

function branchEdited(branch: string): Outcome {
  const text = `${branch} holds commits that ralph did not make, so it is not overwritten. Merge or delete it.`;
  return { ...refused('branch_edited', text), branch };
}
