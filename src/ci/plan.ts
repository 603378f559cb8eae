import { join } from 'node:path';
import { usageError } from '../errors.ts';
import { writeDurably } from '../platform/files/durable-write.ts';
import { openRemoteDesk } from '../platform/git/remote.ts';
import type { CiPlan, CiTry } from '../schema/generated.ts';
import {
  createBranchStore,
  type BranchEdits,
  type BranchFiles,
  type BranchStore,
} from '../workspace/deliver/branch-store.ts';
import type { CiEvent } from './github/event.ts';
import { carryDefaultBranch } from './default-branch.ts';
import { LEDGER_FILE, MEMORY_FOLDERS, readLedger, renderLedger } from './memory-branch.ts';
import { readFailedJobs } from './failed-jobs.ts';
import { readState, type OpenRequest } from './read-state.ts';
import { reopenPull } from './reopen-pull.ts';
import type { CiRemote } from './remote.ts';
import { decideRequest, type PlanDecision, type Run } from './rules/decide-plan.ts';
import { unconfirmedBefore } from './rules/decide-publish.ts';
import { parseFixRequest } from './rules/fix-request.ts';
import { beforeClaim, claimTry, earlierLoops, lastHasDied } from './rules/ledger.ts';
import type { Skip } from './rules/skip.ts';
import type { CiSettings } from './settings.ts';
import { renderAccepted, renderOpened, renderRefused } from './sticky-text.ts';
import { updateComment } from './sticky-comment.ts';
import { sweepPulls } from './sweep.ts';

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
/** Strangers get no answer, and a running try has its own. */
const SILENT: ReadonlySet<string> = new Set([
  'no_permission',
  'bot',
  'fork',
  'closed',
  'locked',
  'label_removed',
]);
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

async function claim(options: PlanOptions, open: OpenRequest): Promise<CiPlan> {
  const { settings, tryId, output } = options;
  const store = createBranchStore(open.desk, settings.memoryBranch);
  const claimed = await decideAndClaim(options, open, store);
  const { decision } = claimed;
  if (decision.kind === 'skip') {
    const plan = await skipped(options, { open, store, ...claimed, decision });
    return { ...plan, text: withStarted(plan.text, claimed) };
  }
  await (await store.open()).export(MEMORY_FOLDERS, join(output, 'memory'));
  await carryDefaultBranch(open.desk, open.remote.access.url, output);
  const pulls = decision.pull === undefined ? claimed.pulls : [decision.pull];
  await updateComment(
    { ...open, store, settings, pulls },
    renderAccepted(decision, open.remote.runUrl, settings),
  );
  const plan = createPlan(decision, { tryId, settings, ...claimed });
  return { ...plan, text: withStarted(plan.text, claimed) };
}

interface Claimed extends Pick<CiPlan, 'failed_jobs' | 'log'> {
  readonly decision: PlanDecision;
  /** Loops of earlier tries at the commit. */
  readonly earlier: readonly string[];
  /** Open pull requests of the branch. */
  readonly pulls: readonly number[];
  /** The last try at the commit has died, so that the comment still says that ralph is at work. */
  readonly hasDied?: boolean;
  /** A sentence on the runs that a sweep started; undefined if it started none. */
  readonly started: string | undefined;
}

async function decideAndClaim(
  { settings, tryId, now, event }: PlanOptions,
  open: OpenRequest,
  store: BranchStore,
): Promise<Claimed> {
  const { github } = open.remote;
  const ledger = await readLedger(await store.open(), settings.memoryBranch);
  const started =
    event.kind === 'schedule' ? await sweepPulls({ ...open, ledger, now: now() }, settings) : undefined;
  const failed = await readFailedJobs(github, open.request.run);
  let claimed: Claimed | undefined;
  // Called again with fresh files if another job pushed to the memory branch meanwhile.
  const editLedger = async (files: BranchFiles): Promise<BranchEdits> => {
    const kept = await readLedger(files, settings.memoryBranch);
    const fresh = beforeClaim(kept, tryId, now());
    const state = await readState(open, settings, { ledger: fresh, now: now() });
    const decision = decideRequest(open.request, settings, state);
    const pulls = state.pulls.flatMap((pull) => (pull.open && !pull.fork ? [pull.number] : []));
    claimed = { decision, pulls, started, earlier: [], ...failed };
    if (decision.kind === 'skip') {
      const branch = open.request.branch ?? state.pulls[0]?.branch;
      claimed = {
        ...claimed,
        hasDied: decision.reason === 'tries_used' && lastHasDied(kept, branch, state.head),
      };
      return new Map();
    }
    const { branch, head } = decision;
    const log = withRefusals(failed.log, unconfirmedBefore(fresh, branch, head));
    claimed = { ...claimed, log, earlier: earlierLoops(fresh, branch, head) };
    const entry = ledgerEntry(decision, { tryId, settings, now: state.now, ...failed });
    return new Map([[LEDGER_FILE, renderLedger(claimTry(fresh, entry))]]);
  };
  await store.update(`ralph: try ${tryId}`, editLedger);
  return claimed!;
}

/** The logs, and why the results of earlier tries were refused: their loops ended verified, so no reflection says it. */
function withRefusals(log: string | undefined, refusals: readonly string[]): string | undefined {
  const lines = refusals.map((text) => `ralph ci verify refused an earlier result: ${text}`);
  return [...lines, ...(log === undefined ? [] : [log])].join('\n\n') || undefined;
}

function withStarted(text: string, { started }: Claimed): string {
  return started === undefined ? text : `${text} ${started}`;
}

/** Answers a request that gets no try, where its author may ask for one; opens a pull request that is still missing. */
async function skipped(
  { settings, now }: PlanOptions,
  {
    open,
    store,
    decision,
    pulls,
    hasDied = false,
  }: Pick<Claimed, 'pulls' | 'hasDied'> & {
    readonly open: OpenRequest;
    readonly store: BranchStore;
    readonly decision: Skip;
  },
): Promise<CiPlan> {
  const { reason, text } = decision;
  const plan: CiPlan = { version: 1, run: false, reason, text };
  if (reason === 'fixed') {
    const opened = await reopenPull({ ...open, store, settings, now: now() });
    if (opened !== undefined) {
      const { number, text, askedOn } = opened;
      // What the comment says so far is that nothing was published.
      await updateComment(
        { ...open, store, settings, pulls: askedOn === undefined ? pulls : [askedOn] },
        renderOpened(number, open.remote.runUrl, settings),
      );
      return { ...plan, text };
    }
  }
  const { pull, trigger } = open.request;
  const isAsked = pull !== undefined && (trigger === 'comment' || trigger === 'label');
  const answered = isAsked && !SILENT.has(reason) ? [pull] : hasDied ? pulls : [];
  await updateComment({ ...open, store, settings, pulls: answered }, renderRefused(decision));
  return plan;
}

function ledgerEntry(
  { branch, head, trigger, pull, task, labelled }: Run,
  {
    tryId,
    settings,
    now,
    failed_jobs,
  }: Pick<PlanOptions, 'tryId' | 'settings'> & Pick<CiPlan, 'failed_jobs'> & { readonly now: Date },
): CiTry {
  return {
    id: tryId,
    branch,
    head,
    trigger,
    state: 'running',
    started_at: now.toISOString(),
    reserved_usd: settings.maxCostUsd ?? 0,
    max_tries: settings.maxTries,
    ...{ pull, task, failed_jobs },
    labelled: labelled ? true : undefined,
  };
}

function createPlan(
  { branch, head, pull, task, number, trigger }: Run,
  { tryId, settings, earlier, failed_jobs, log }: Pick<PlanOptions, 'tryId' | 'settings'> & Claimed,
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
    earlier_loops: earlier.length > 0 ? [...earlier] : undefined,
    ...{ failed_jobs, log },
  };
}

async function savePlan(output: string, plan: CiPlan): Promise<CiPlan> {
  await writeDurably(join(output, PLAN_FILE), `${JSON.stringify(plan, null, 2)}\n`);
  return plan;
}
