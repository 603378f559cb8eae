import { messageOf } from '../errors.ts';
import { openRemoteDesk, type RemoteDesk } from '../platform/git/remote.ts';
import type { CiBranch, CiFix, CiLedger, CiTry } from '../schema/generated.ts';
import { createBranchStore, type BranchFiles, type BranchStore } from '../workspace/deliver/branch-store.ts';
import { readFix, renderFix } from './fix-folder.ts';
import { knowsLoop, LEDGER_FILE, memoryEdits, readLedger, renderLedger } from './memory-branch.ts';
import { mergePulls } from './merge-pulls.ts';
import type { CiRemote } from './remote.ts';
import { startNextTry } from './next-try.ts';
import { pushFix, refused, type PushSettings } from './push-fix.ts';
import {
  belongsToTry,
  decidePublish,
  type PublishDecision,
  type PublishState,
} from './rules/decide-publish.ts';
import { recordPush, settleTry } from './rules/ledger.ts';
import { triesLeft } from './rules/retry.ts';
import type { CiSettings } from './settings.ts';
import { updateComment } from './sticky-comment.ts';
import { renderEnded } from './sticky-text.ts';
import { tryEnd } from './try-end.ts';

const COMMENT_CHARS = 30_000;

/** Options of `publishFix`. */
export interface PublishOptions extends PushSettings {
  readonly remote: CiRemote;
  readonly settings: Pick<CiSettings, 'label' | 'optOutLabel' | 'branchPrefix' | 'memoryBranch'>;
  readonly tryId: string;
  /** Why `ralph ci verify` did not confirm the result; one sentence. */
  readonly why?: string | undefined;
  /** Absolute path of the output folder of `ralph ci fix`. */
  readonly from: string;
  readonly now: () => Date;
}

/** Result of `publishFix`. */
export interface Published {
  /** False: the result was withheld. */
  readonly published: boolean;
  /** `published`, a rule of `decidePublish`, `bad_patch`, `other_tree` or `branch_edited`. */
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

/** The part of the result that the push decides. */
export type Outcome = Pick<Published, 'published' | 'reason' | 'text' | 'branch' | 'pull'>;

/**
 * Step 4 of `ralph ci`: checks the result of the fix job, pushes it to its branch and opens or updates the one pull
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
    const fix = await ownFix(await readFix(from), { ledger, tryId, files: await store.open() });
    const state = await readState(desk, remote, claim);
    const { tree, why } = options;
    const decision = decidePublish({ claim, fix, tree, why, ...state }, settings);
    if (claim === undefined || (decision.kind === 'withhold' && decision.reason === 'settled'))
      return { ...withheld(decision), verified: false };
    const claimed = { desk, store, ledger, claim, fix, decision, pulls: state.pulls };
    const ended = endTry(options, claimed).catch(async (error: unknown) => {
      await commentOnEnd(options, claimed, { ...failed(error), next: REPEAT });
      throw error;
    });
    return await concludeTry(options, claimed, await ended);
  } finally {
    desk.close();
  }
}

/** A try that is about to end. */
export interface ClaimedTry {
  readonly desk: RemoteDesk;
  readonly store: BranchStore;
  readonly ledger: CiLedger;
  readonly claim: CiTry;
  readonly fix: CiFix | string;
  readonly decision: PublishDecision;
  readonly pulls: PublishState['pulls'];
}

const REPEAT = 'This counts as no try. Run the failed job again when its cause is removed.';

function failed(error: unknown): Pick<Published, 'published' | 'text'> {
  return { published: false, text: messageOf(error) };
}

/** Starts the next try, and tells on the pull request how this one ended. */
async function concludeTry(
  options: PublishOptions,
  claimed: ClaimedTry,
  ended: Published,
): Promise<Published> {
  const { remote, settings } = options;
  const { store, claim } = claimed;
  const ledger = await readLedger(await store.open(), settings.memoryBranch);
  const next = await startNextTry(remote, ledger, claim.id);
  await commentOnEnd(options, claimed, { ...ended, left: triesLeft(ledger, claim.id), next });
  return next === undefined ? ended : { ...ended, text: `${ended.text} ${next}` };
}

/** Writes on the pull request how the try ended. */
async function commentOnEnd(
  { remote, settings, from }: PublishOptions,
  { store, claim, pulls, fix }: ClaimedTry,
  {
    left = 0,
    next,
    ...ended
  }: Pick<Published, 'published' | 'text' | 'pull'> & {
    readonly left?: number;
    readonly next: string | undefined;
  },
): Promise<void> {
  const asked = pulls.filter(({ open, fork }) => open && !fork).map(({ number }) => number);
  // Only what ralph ci verify confirmed is told: the rest is what the job that ran the code says of itself.
  const isTold = ended.published && typeof fix !== 'string' && belongsToTry(claim, fix);
  const report = isTold ? await renderFix(from, fix, COMMENT_CHARS).catch(() => '') : '';
  const facts = { left, report, runUrl: remote.runUrl, next };
  const commented = claim.pull === undefined ? asked : [claim.pull];
  await updateComment({ remote, store, settings, pulls: commented }, renderEnded(ended, facts, settings));
}

/** Pushes the fix if that was decided; stores the end of the try and the memory even if the push throws. */
async function endTry(options: PublishOptions, claimed: ClaimedTry): Promise<Published> {
  const { store, claim, decision } = claimed;
  const fix = ownResult(claimed);
  let pushed: CiBranch | undefined;
  let result: Published | undefined;
  try {
    const outcome =
      decision.kind === 'withhold'
        ? withheld(decision)
        : await pushFix(options, claimed, decision.fix, (entry) => (pushed = entry));
    result = { ...outcome, ...readResult(fix) };
    return result;
  } finally {
    const end = tryEnd(fix, {
      result,
      isPushed: pushed !== undefined,
      isVerified: decision.kind === 'publish',
    });
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

/** The result, or why it is not used: it names a loop of another try. */
async function ownFix(
  fix: CiFix | string,
  {
    ledger,
    tryId,
    files,
  }: { readonly ledger: CiLedger; readonly tryId: string; readonly files: BranchFiles },
): Promise<CiFix | string> {
  if (typeof fix === 'string') return fix;
  const loopId = fix.verdict.loop_id!;
  const claimed = ledger.tries.find(({ loop_id: known }) => known === loopId);
  const isOther = claimed === undefined ? await knowsLoop(files, loopId) : claimed.id !== tryId;
  return isOther ? 'fix.json names the loop of another try' : fix;
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

function ownResult({ claim, fix }: ClaimedTry): CiFix | undefined {
  return typeof fix !== 'string' && belongsToTry(claim, fix) ? fix : undefined;
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
