import { join } from 'node:path';
import { usageError } from '../errors.ts';
import { decide, type CiState, type Decision, type Run } from './github/decide.ts';
import type { CiEvent, PullFacts } from './github/event.ts';
import { claimTry, earlierLoops, pushedFor } from './github/ledger.ts';
import type { CiSettings } from './github/rules.ts';
import { targetOf, type Target } from './github/target.ts';
import type { CiLedger, CiPlan } from '../schema/generated.ts';
import { writeDurably } from '../platform/files/durable-write.ts';
import { createBranchStore, type BranchEdits, type BranchFiles } from '../workspace/deliver/branch-store.ts';
import { openRemoteDesk, type RemoteDesk } from '../platform/git/remote.ts';
import type { CiPlace } from './ground.ts';
import { LEDGER_FILE, MEMORY_FOLDERS, readLedger, renderLedger } from './memory-branch.ts';

export interface PlanRequest {
  readonly event: CiEvent;
  readonly settings: CiSettings;
  /** Opened only where the event's payload asks for something. */
  readonly openPlace: () => Promise<CiPlace>;
  /** Of this run: unique, letters, digits, dots and dashes. */
  readonly tryId: string;
  /** Absolute path; gets `plan.json`, and `memory/` where there is something to do. */
  readonly output: string;
  readonly now: () => Date;
}

const TRY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
export const PLAN_FILE = 'plan.json';

/**
 * What to do for an event. Where it is a try, the try is claimed on the memory branch before anything else happens: so
 * it counts whatever becomes of the job, and no other job works on the branch. Throws RalphError where GitHub or the
 * remote cannot be asked.
 */
export async function planFix(request: PlanRequest): Promise<CiPlan> {
  const { event, settings, tryId, output } = request;
  if (!TRY_ID.test(tryId)) throw usageError(`${JSON.stringify(tryId)} cannot be the id of a try.`);
  const target = targetOf(event, settings);
  if (target.kind === 'skip')
    return save(output, { version: 1, run: false, reason: target.reason, text: target.text });
  const place = await request.openPlace();
  const desk = await openRemoteDesk(place.remote);
  try {
    return await save(output, await claim(request, { target, place, desk }));
  } finally {
    desk.close();
  }
}

interface Ground {
  readonly target: Target;
  readonly place: CiPlace;
  readonly desk: RemoteDesk;
}

async function claim(request: PlanRequest, { target, place, desk }: Ground): Promise<CiPlan> {
  const { event, settings, tryId, output, now } = request;
  const store = createBranchStore(desk, settings.memoryBranch);
  let decision: Decision | undefined;
  let earlier: string[] = [];
  const decideOn = async (files: BranchFiles): Promise<BranchEdits> => {
    const ledger = await readLedger(files, settings.memoryBranch);
    const state = await stateOf({ target, place, desk }, settings, { ledger, now: now() });
    decision = decide(event, settings, state);
    if (decision.kind === 'skip') return new Map();
    earlier = earlierLoops(ledger, decision.branch, decision.head);
    return new Map([
      [LEDGER_FILE, renderLedger(claimTry(ledger, entryOf(decision, { tryId, settings, now: state.now })))],
    ]);
  };
  await store.update(`ralph: try ${tryId}`, decideOn);
  const made = decision!;
  if (made.kind === 'skip') return { version: 1, run: false, reason: made.reason, text: made.text };
  await (await store.open()).export(MEMORY_FOLDERS, join(output, 'memory'));
  return planOf(made, { tryId, settings, earlier });
}

async function stateOf(
  { target, place, desk }: Ground,
  { branchPrefix }: CiSettings,
  { ledger, now }: { readonly ledger: CiLedger; readonly now: Date },
): Promise<CiState> {
  const { github } = place;
  const asked = target.pull === undefined ? undefined : await github?.pull(target.pull);
  const branch = target.branch ?? asked?.branch;
  const open = branch === undefined || asked?.fork === true ? [] : ((await github?.pullsOf(branch)) ?? []);
  const known = branch !== undefined && pushedFor(ledger, branch) !== undefined;
  return {
    now,
    ledger,
    head: branch === undefined ? undefined : await desk.tipOf(branch),
    pulls: withoutDoubles([...(asked === undefined ? [] : [asked]), ...open]),
    permission: target.login === undefined ? undefined : await github?.permissionOf(target.login),
    rejected: known && ((await github?.wasRejected(`${branchPrefix}${branch}`)) ?? false),
  };
}

/** Each pull request once; the first of two is the newer knowledge. */
export function withoutDoubles(pulls: readonly PullFacts[]): PullFacts[] {
  return [...new Map(pulls.toReversed().map((pull) => [pull.number, pull])).values()].reverse();
}

function entryOf(
  { branch, head, trigger, pull }: Run,
  { tryId, settings, now }: { readonly tryId: string; readonly settings: CiSettings; readonly now: Date },
): CiLedger['tries'][number] {
  return {
    id: tryId,
    ...{ branch, head, trigger },
    state: 'running',
    started_at: now.toISOString(),
    reserved_usd: settings.maxCostUsd ?? 0,
    ...(pull !== undefined && { pull }),
    ...(trigger === 'label' && { labelled: true }),
  };
}

function planOf(
  { branch, head, pull, task, number, trigger }: Run,
  {
    tryId,
    settings,
    earlier,
  }: { readonly tryId: string; readonly settings: CiSettings; readonly earlier: string[] },
): CiPlan {
  return {
    version: 1,
    run: true,
    reason: 'run',
    text: `Try ${number} of ${settings.maxTries} at ${branch} (${head.slice(0, 10)}), asked for by ${trigger}.`,
    try_id: tryId,
    try: number,
    ...{ branch, head },
    ...(pull !== undefined && { pull }),
    ...(task !== undefined && { task }),
    ...(settings.maxCostUsd !== undefined && { max_cost_usd: settings.maxCostUsd }),
    ...(earlier.length > 0 && { earlier_loops: earlier }),
  };
}

async function save(output: string, plan: CiPlan): Promise<CiPlan> {
  await writeDurably(join(output, PLAN_FILE), `${JSON.stringify(plan, null, 2)}\n`);
  return plan;
}
