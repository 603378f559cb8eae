import { join } from 'node:path';
import { usageError } from '../errors.ts';
import { writeDurably } from '../platform/files/durable-write.ts';
import { openRemoteDesk, type RemoteDesk } from '../platform/git/remote.ts';
import type { CiLedger, CiPlan, CiTry } from '../schema/generated.ts';
import { createBranchStore, type BranchEdits, type BranchFiles } from '../workspace/deliver/branch-store.ts';
import type { CiEvent } from './github/event.ts';
import { carryDefaultBranch, DEFAULT_BRANCH_FOLDER } from './default-branch.ts';
import { LEDGER_FILE, MEMORY_FOLDERS, readLedger, renderLedger } from './memory-branch.ts';
import { mergePulls } from './merge-pulls.ts';
import type { CiRemote } from './remote.ts';
import { decidePlan, type CiState, type PlanDecision, type Run } from './rules/decide-plan.ts';
import { parseFixRequest, type FixRequest } from './rules/fix-request.ts';
import { claimTry, earlierLoops, pushedFor } from './rules/ledger.ts';
import type { CiSettings } from './settings.ts';

/** Options of `planFix`. */
export interface PlanOptions {
  readonly event: CiEvent;
  readonly settings: CiSettings;
  /** Called only if the event's payload asks for a fix. */
  readonly openRemote: () => Promise<CiRemote>;
  /** Unique id of this try: letters, digits, dots and dashes. */
  readonly tryId: string;
  /** Absolute path of the output folder: gets `plan.json`, and `memory/` and `default-branch/` if a fix is to be tried. */
  readonly output: string;
  readonly now: () => Date;
}

const TRY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** Name of the plan in its output folder. */
export const PLAN_FILE = 'plan.json';

/**
 * Step 1 of `ralph ci`: decides whether an event gets a try and writes the plan. A try is claimed on the memory branch
 * first, so that it counts even if the job dies, and so that no other job starts on the same branch. Throws RalphError
 * if GitHub or the remote fails.
 */
export async function planFix(options: PlanOptions): Promise<CiPlan> {
  const { event, settings, tryId, output } = options;
  if (!TRY_ID.test(tryId))
    throw usageError(
      `--try-id ${JSON.stringify(tryId)} must be letters, digits, dots, dashes and underscores, at most 100.`,
    );
  const request = parseFixRequest(event, settings);
  if (request.kind === 'skip')
    return savePlan(output, { version: 1, run: false, reason: request.reason, text: request.text });
  const remote = await options.openRemote();
  const desk = await openRemoteDesk(remote.access);
  try {
    return await savePlan(output, await claim(options, { request, remote, desk }));
  } finally {
    desk.close();
  }
}

interface OpenRequest {
  readonly request: FixRequest;
  readonly remote: CiRemote;
  readonly desk: RemoteDesk;
}

async function claim(options: PlanOptions, open: OpenRequest): Promise<CiPlan> {
  const { event, settings, tryId, output, now } = options;
  const store = createBranchStore(open.desk, settings.memoryBranch);
  let decision: PlanDecision | undefined;
  let earlier: string[] = [];
  // Called again with fresh files if another job pushed to the memory branch meanwhile.
  const editLedger = async (files: BranchFiles): Promise<BranchEdits> => {
    const ledger = await readLedger(files, settings.memoryBranch);
    const state = await readState(open, settings, { ledger, now: now() });
    decision = decidePlan(event, settings, state);
    if (decision.kind === 'skip') return new Map();
    earlier = earlierLoops(ledger, decision.branch, decision.head);
    const entry = ledgerEntry(decision, { tryId, settings, now: state.now });
    return new Map([[LEDGER_FILE, renderLedger(claimTry(ledger, entry))]]);
  };
  await store.update(`ralph: try ${tryId}`, editLedger);
  const made = decision!;
  if (made.kind === 'skip') return { version: 1, run: false, reason: made.reason, text: made.text };
  await (await store.open()).export(MEMORY_FOLDERS, join(output, 'memory'));
  await carryDefaultBranch(open.desk, open.remote.access.url, join(output, DEFAULT_BRANCH_FOLDER));
  return createPlan(made, { tryId, settings, earlier });
}

async function readState(
  { request, remote, desk }: OpenRequest,
  { branchPrefix }: CiSettings,
  { ledger, now }: { readonly ledger: CiLedger; readonly now: Date },
): Promise<CiState> {
  const { github } = remote;
  const pull = request.pull === undefined ? undefined : await github?.pull(request.pull);
  const branch = request.branch ?? pull?.branch;
  const open = branch === undefined || pull?.fork === true ? [] : await github?.pullsOf(branch);
  const wasPushed = branch !== undefined && pushedFor(ledger, branch) !== undefined;
  return {
    now,
    ledger,
    head: branch === undefined ? undefined : await desk.tipOf(branch),
    pulls: mergePulls(pull, open),
    permission: request.login === undefined ? undefined : await github?.permissionOf(request.login),
    fixTip: wasPushed ? await desk.tipOf(`${branchPrefix}${branch}`) : undefined,
    rejected: wasPushed && ((await github?.wasRejected(`${branchPrefix}${branch}`)) ?? false),
  };
}

function ledgerEntry(
  { branch, head, trigger, pull }: Run,
  { tryId, settings, now }: { readonly tryId: string; readonly settings: CiSettings; readonly now: Date },
): CiTry {
  return {
    id: tryId,
    branch,
    head,
    trigger,
    state: 'running',
    started_at: now.toISOString(),
    reserved_usd: settings.maxCostUsd ?? 0,
    pull,
    labelled: trigger === 'label' ? true : undefined,
  };
}

function createPlan(
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
    branch,
    head,
    pull,
    task,
    max_cost_usd: settings.maxCostUsd,
    earlier_loops: earlier.length > 0 ? earlier : undefined,
  };
}

async function savePlan(output: string, plan: CiPlan): Promise<CiPlan> {
  await writeDurably(join(output, PLAN_FILE), `${JSON.stringify(plan, null, 2)}\n`);
  return plan;
}
