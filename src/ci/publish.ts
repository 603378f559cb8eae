import type { CiSettings } from './github/rules.ts';
import { decidePublish, type PublishDecision } from './github/decide-publish.ts';
import { notePushed, pushedFor, settleTry, type TryEnd } from './github/ledger.ts';
import { REPORT_CHARS, renderPull } from './github/pull-request.ts';
import type { CiBranch, CiFix, CiLedger, CiTry } from '../schema/generated.ts';
import { redact } from '../platform/redaction/redact.ts';
import { createBranchStore, type BranchStore } from '../workspace/deliver/branch-store.ts';
import { openRemoteDesk, type RemoteDesk } from '../platform/git/remote.ts';
import { commitPatch } from '../workspace/deliver/verified-commit.ts';
import { readFix, readPatch, renderFix } from './fix-folder.ts';
import type { CiPlace } from './ground.ts';
import { LEDGER_FILE, memoryEdits, readLedger, renderLedger } from './memory-branch.ts';
import { withoutDoubles } from './plan.ts';

export interface PublishRequest {
  readonly place: CiPlace;
  readonly settings: Pick<CiSettings, 'label' | 'optOutLabel' | 'branchPrefix' | 'memoryBranch'>;
  readonly tryId: string;
  /** Absolute path of what `ralph ci fix` left. */
  readonly from: string;
  readonly allow: readonly string[];
  readonly draft: boolean;
  /** For the server that is pushed to. */
  readonly pushOptions: readonly string[];
  readonly now: () => Date;
}

/** What became of a result. */
export interface Published {
  /** False: it was withheld, for `reason`. */
  readonly published: boolean;
  /** `published`, a rule of `decidePublish`, `bad_patch` or `branch_edited`. */
  readonly reason: string;
  /** One sentence. */
  readonly text: string;
  readonly verified: boolean;
  readonly reward?: number;
  readonly loopId?: string;
  readonly branch?: string;
  readonly pull?: { readonly number: number; readonly url: string; readonly created: boolean };
}

/**
 * Pushes a verified result to its branch and opens or updates the one pull request, after it was judged anew from the
 * outside; and keeps what the loop learned, verified or not. No file of the repository is written and none of its code
 * runs here. The try is ended in every case. Throws RalphError where GitHub or the remote refuses.
 */
export async function publishFix(request: PublishRequest): Promise<Published> {
  const { place, settings, tryId, from } = request;
  const desk = await openRemoteDesk(place.remote);
  try {
    const store = createBranchStore(desk, settings.memoryBranch);
    const ledger = await readLedger(await store.open(), settings.memoryBranch);
    const claim = ledger.tries.find(({ id }) => id === tryId);
    const fix = await readFix(from);
    const decision = decidePublish({ claim, fix, ...(await nowOf(desk, place, claim)) }, settings);
    if (claim === undefined || (decision.kind === 'withhold' && decision.reason === 'settled'))
      return { ...withheld(decision), verified: false };
    return await conclude(request, { desk, store, ledger, claim, fix, decision });
  } finally {
    desk.close();
  }
}

interface Concluding {
  readonly desk: RemoteDesk;
  readonly store: BranchStore;
  readonly ledger: CiLedger;
  readonly claim: CiTry;
  readonly fix: CiFix | string;
  readonly decision: PublishDecision;
}

async function conclude(request: PublishRequest, ground: Concluding): Promise<Published> {
  const { store, claim, decision } = ground;
  const fix = belongsTo(claim, ground.fix) ? ground.fix : undefined;
  let pushed: CiBranch | undefined;
  let result: Published | undefined;
  try {
    result =
      decision.kind === 'withhold'
        ? { ...withheld(decision), ...resultOf(fix) }
        : await publish(request, ground, { fix: decision.fix, onPushed: (entry) => (pushed = entry) });
    return result;
  } finally {
    const end = endOf(fix, result);
    const { memoryBranch } = request.settings;
    await store.update(`ralph: end of try ${claim.id}`, async (files) => {
      const settled = settleTry(await readLedger(files, memoryBranch), claim.id, {
        ...end,
        at: request.now(),
      });
      const learned =
        fix === undefined ? new Map() : await memoryEdits(request.from, fix.verdict.loop_id!, files);
      return new Map([
        ...learned,
        [LEDGER_FILE, renderLedger(pushed === undefined ? settled : notePushed(settled, pushed))],
      ]);
    });
  }
}

async function publish(
  { place, settings, from, allow, draft, pushOptions }: PublishRequest,
  { desk, ledger, claim }: Concluding,
  { fix, onPushed }: { readonly fix: CiFix; readonly onPushed: (pushed: CiBranch) => void },
): Promise<Published> {
  const facts = resultOf(fix);
  const patch = await readPatch(from);
  const fetched = await desk.fetch(claim.branch);
  if (patch === undefined || fetched !== claim.head)
    return {
      ...facts,
      ...refused('bad_patch', 'There is no patch, a longer one than is taken, or the branch moved.'),
    };
  const message = `ralph: fix ${claim.branch}\n\n${redact(fix.verdict.reason)}\n\nRalph-Loop: ${fix.verdict.loop_id!}\n`;
  const made = await commitPatch(desk, { patch, head: claim.head, message, allow });
  if (!made.ok) return { ...facts, ...refused('bad_patch', made.problem) };
  const branch = `${settings.branchPrefix}${claim.branch}`;
  const before = pushedFor(ledger, claim.branch);
  const there = await desk.tipOf(branch);
  if (there !== undefined && there !== before?.tip) return { ...facts, ...branchEdited(branch) };
  if (!(await desk.push({ commit: made.commit, branch, from: there, options: pushOptions })))
    return { ...facts, ...branchEdited(branch) };
  const entry = { branch: claim.branch, tip: made.commit, head: claim.head };
  onPushed({ ...entry, ...(before?.pull !== undefined && { pull: before.pull }) });
  const { github, runUrl } = place;
  if (github === undefined)
    return { ...facts, published: true, reason: 'published', branch, text: `Pushed the fix to ${branch}.` };
  const report = await renderFix(from, fix, REPORT_CHARS);
  const { title, body } = renderPull({ claim, files: made.files, report, runUrl });
  const pull = await github.upsertPull({ head: branch, base: claim.branch, title, body, draft });
  onPushed({ ...entry, pull: pull.number });
  const text = `${pull.created ? 'Opened' : 'Updated'} pull request #${pull.number}: ${pull.url}`;
  return { ...facts, published: true, reason: 'published', branch, pull, text };
}

/** What is true now of the branch that a try is for. */
async function nowOf(
  desk: RemoteDesk,
  { github }: CiPlace,
  claim: CiTry | undefined,
): Promise<Pick<Parameters<typeof decidePublish>[0], 'head' | 'pulls'>> {
  if (claim === undefined) return { head: undefined, pulls: [] };
  const asked = claim.pull === undefined ? undefined : await github?.pull(claim.pull);
  const open = (await github?.pullsOf(claim.branch)) ?? [];
  return {
    head: await desk.tipOf(claim.branch),
    pulls: withoutDoubles([...(asked === undefined ? [] : [asked]), ...open]),
  };
}

function belongsTo(claim: CiTry, fix: CiFix | string): fix is CiFix {
  return (
    typeof fix !== 'string' &&
    fix.try_id === claim.id &&
    fix.head === claim.head &&
    fix.branch === claim.branch
  );
}

function resultOf(fix: CiFix | undefined): Pick<Published, 'verified' | 'reward' | 'loopId'> {
  if (fix === undefined) return { verified: false };
  const { verified, reward, loop_id: loopId } = fix.verdict;
  return { verified, reward, ...(loopId !== null && { loopId }) };
}

function withheld(decision: PublishDecision): Pick<Published, 'published' | 'reason' | 'text'> {
  return decision.kind === 'withhold'
    ? refused(decision.reason, decision.text)
    : refused('not_claimed', 'No try of this id was claimed.');
}

function refused(reason: string, text: string): Pick<Published, 'published' | 'reason' | 'text'> {
  return { published: false, reason, text };
}

function branchEdited(branch: string): Pick<Published, 'published' | 'reason' | 'text' | 'branch'> {
  const text = `${branch} holds commits that are not ralph's: it is left alone. Merge or delete it.`;
  return { ...refused('branch_edited', text), branch };
}

/** As the ledger keeps it. Without a result of its own the try has failed. */
function endOf(fix: CiFix | undefined, result: Published | undefined): TryEnd {
  if (fix === undefined || result === undefined)
    return { state: 'failed', reason: (result?.text ?? 'It could not be pushed.').slice(0, 500) };
  const { loop_id: loopId, usage, verified } = fix.verdict;
  return {
    state: result.published ? 'published' : verified ? 'withheld' : 'unverified',
    ...(loopId !== null && { loop_id: loopId }),
    ...(usage.cost_usd !== null && { cost_usd: usage.cost_usd }),
    reason: result.text.slice(0, 500),
  };
}
