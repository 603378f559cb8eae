import { openRemoteDesk, type RemoteDesk } from '../platform/git/remote.ts';
import type { CiBranch, CiFix, CiLedger, CiTry } from '../schema/generated.ts';
import { createBranchStore, type BranchStore } from '../workspace/deliver/branch-store.ts';
import { commitPatch } from '../workspace/deliver/verified-commit.ts';
import { examineCommit } from './examine-commit.ts';
import { readFix, readPatch, renderFix } from './fix-folder.ts';
import { REPORT_CHARS, renderPull, renderTitle } from './github/pull-request.ts';
import { LEDGER_FILE, memoryEdits, readLedger, renderLedger } from './memory-branch.ts';
import { mergePulls } from './merge-pulls.ts';
import type { CiRemote } from './remote.ts';
import { decidePublish, type PublishDecision, type PublishState } from './rules/decide-publish.ts';
import { pushedFor, recordPush, settleTry, type TryEnd } from './rules/ledger.ts';
import type { CiSettings } from './settings.ts';

/** Options of `publishFix`. */
export interface PublishOptions {
  readonly remote: CiRemote;
  readonly settings: Pick<CiSettings, 'label' | 'optOutLabel' | 'branchPrefix' | 'memoryBranch'>;
  readonly tryId: string;
  /** Absolute path of the output folder of `ralph ci fix`. */
  readonly from: string;
  /** Globs of protected files that the fix may change. */
  readonly allow: readonly string[];
  readonly draft: boolean;
  /** Values of `git push -o`. */
  readonly pushOptions: readonly string[];
  readonly now: () => Date;
}

/** Result of `publishFix`. */
export interface Published {
  /** False: the result was withheld. */
  readonly published: boolean;
  /** `published`, a rule of `decidePublish`, `bad_patch` or `branch_edited`. */
  readonly reason: string;
  /** One sentence for the log. */
  readonly text: string;
  readonly verified: boolean;
  /** 0..1. */
  readonly reward?: number;
  readonly loopId?: string;
  /** Branch with the fix. */
  readonly branch?: string;
  readonly pull?: { readonly number: number; readonly url: string; readonly created: boolean };
}

type Outcome = Pick<Published, 'published' | 'reason' | 'text' | 'branch' | 'pull'>;

/**
 * Step 3 of `ralph ci`: checks the result of the fix job, pushes it to its branch and opens or updates the one pull
 * request; stores the loop's memory, verified or not. Nothing is checked out and no code of the repository runs. The
 * try is ended in every case. Throws RalphError if GitHub or the remote fails.
 */
export async function publishFix(options: PublishOptions): Promise<Published> {
  const { remote, settings, tryId, from } = options;
  const desk = await openRemoteDesk(remote.access);
  try {
    const store = createBranchStore(desk, settings.memoryBranch);
    const ledger = await readLedger(await store.open(), settings.memoryBranch);
    const claim = ledger.tries.find(({ id }) => id === tryId);
    const fix = await readFix(from);
    const state = await readState(desk, remote, claim);
    const decision = decidePublish({ claim, fix, ...state }, settings);
    if (claim === undefined || (decision.kind === 'withhold' && decision.reason === 'settled'))
      return { ...withheld(decision), verified: false };
    return await endTry(options, { desk, store, ledger, claim, fix, decision });
  } finally {
    desk.close();
  }
}

interface ClaimedTry {
  readonly desk: RemoteDesk;
  readonly store: BranchStore;
  readonly ledger: CiLedger;
  readonly claim: CiTry;
  readonly fix: CiFix | string;
  readonly decision: PublishDecision;
}

/** Pushes the fix if that was decided; stores the end of the try and the memory even if the push throws. */
async function endTry(options: PublishOptions, claimed: ClaimedTry): Promise<Published> {
  const { store, claim, decision } = claimed;
  const fix = belongsTo(claim, claimed.fix) ? claimed.fix : undefined;
  let pushed: CiBranch | undefined;
  let result: Published | undefined;
  try {
    const outcome =
      decision.kind === 'withhold'
        ? withheld(decision)
        : await pushFix(options, claimed, { fix: decision.fix, onPushed: (entry) => (pushed = entry) });
    result = { ...outcome, ...readResult(fix) };
    return result;
  } finally {
    const end = tryEnd(fix, result, pushed !== undefined);
    const { memoryBranch } = options.settings;
    await store.update(`ralph: end of try ${claim.id}`, async (files) => {
      const settled = settleTry(await readLedger(files, memoryBranch), claim.id, {
        ...end,
        at: options.now(),
      });
      const memory =
        fix === undefined ? new Map() : await memoryEdits(options.from, fix.verdict.loop_id!, files);
      const ledger = pushed === undefined ? settled : recordPush(settled, pushed);
      return new Map([...memory, [LEDGER_FILE, renderLedger(ledger)]]);
    });
  }
}

async function pushFix(
  { remote, settings, from, allow, draft, pushOptions }: PublishOptions,
  { desk, ledger, claim }: ClaimedTry,
  { fix, onPushed }: { readonly fix: CiFix; readonly onPushed: (pushed: CiBranch) => void },
): Promise<Outcome> {
  const patch = await readPatch(from);
  const fetched = await desk.fetch(claim.branch);
  if (patch === undefined) return refused('bad_patch', 'The patch is missing or too long.');
  if (fetched !== claim.head) return refused('bad_patch', `The branch ${claim.branch} has moved.`);
  // Nothing of it is text of the branch or of the fix job, which could skip CI, close issues or mention people.
  const message = `${renderTitle(claim.branch)}\n\nEvery check passes with it.\n\nRalph-Loop: ${fix.verdict.loop_id!}\n`;
  const made = await commitPatch(desk, { patch, head: claim.head, message, allow });
  if (!made.ok) return refused('bad_patch', made.problem);
  const problem = await examineCommit(desk, { head: claim.head, commit: made.commit, allow });
  if (problem !== undefined) return refused('bad_patch', problem);
  const branch = `${settings.branchPrefix}${claim.branch}`;
  const before = pushedFor(ledger, claim.branch);
  const tip = await desk.tipOf(branch);
  if (tip !== undefined && tip !== before?.tip) return branchEdited(branch);
  // Pushed by an earlier run of this job that could not open the pull request.
  const isPushed = claim.state === 'unopened' && tip !== undefined && before?.head === claim.head;
  if (!isPushed && !(await desk.push({ commit: made.commit, branch, from: tip, options: pushOptions })))
    return branchEdited(branch);
  const entry = { branch: claim.branch, tip: isPushed ? tip : made.commit, head: claim.head };
  onPushed({ ...entry, pull: before?.pull });
  const { github, runUrl } = remote;
  if (github === undefined)
    return { published: true, reason: 'published', branch, text: `Pushed the fix to ${branch}.` };
  const report = await renderFix(from, fix, REPORT_CHARS);
  const { title, body } = renderPull({ claim, files: made.files, report, runUrl });
  const pull = await github.upsertPull({ head: branch, base: claim.branch, title, body, draft });
  onPushed({ ...entry, pull: pull.number });
  const text = `${pull.created ? 'Opened' : 'Updated'} pull request #${pull.number}: ${pull.url}`;
  return { published: true, reason: 'published', branch, pull, text };
}

/** Current state of the branch that a try is for. */
async function readState(
  desk: RemoteDesk,
  { github }: CiRemote,
  claim: CiTry | undefined,
): Promise<Pick<PublishState, 'head' | 'pulls'>> {
  if (claim === undefined) return { head: undefined, pulls: [] };
  const requested = claim.pull === undefined ? undefined : await github?.pull(claim.pull);
  const open = await github?.pullsOf(claim.branch);
  return { head: await desk.tipOf(claim.branch), pulls: mergePulls(requested, open) };
}

function belongsTo(claim: CiTry, fix: CiFix | string): fix is CiFix {
  return (
    typeof fix !== 'string' &&
    fix.try_id === claim.id &&
    fix.head === claim.head &&
    fix.branch === claim.branch
  );
}

function readResult(fix: CiFix | undefined): Pick<Published, 'verified' | 'reward' | 'loopId'> {
  if (fix === undefined) return { verified: false };
  const { verified, reward, loop_id: loopId } = fix.verdict;
  return { verified, reward, loopId: loopId ?? undefined };
}

function withheld(decision: PublishDecision): Outcome {
  return decision.kind === 'withhold'
    ? refused(decision.reason, decision.text)
    : refused('not_claimed', 'The ledger has no try with this id.');
}

function refused(reason: string, text: string): Outcome {
  return { published: false, reason, text };
}

function branchEdited(branch: string): Outcome {
  const text = `${branch} holds commits that ralph did not make, so it is not overwritten. Merge or delete it.`;
  return { ...refused('branch_edited', text), branch };
}

/**
 * The end of the try as the ledger stores it: without a usable result the try has failed, unless its fix was pushed and
 * only the pull request could not be opened.
 */
function tryEnd(fix: CiFix | undefined, result: Published | undefined, isPushed: boolean): TryEnd {
  if (fix === undefined || (result === undefined && !isPushed))
    return { state: 'failed', reason: (result?.text ?? 'The push failed.').slice(0, 500) };
  const { loop_id: loopId, usage, verified } = fix.verdict;
  const state =
    result === undefined ? 'unopened' : result.published ? 'published' : verified ? 'withheld' : 'unverified';
  return {
    state,
    loop_id: loopId ?? undefined,
    cost_usd: usage.cost_usd ?? undefined,
    reason: (result?.text ?? 'The fix was pushed, but its pull request could not be opened.').slice(0, 500),
  };
}
