import { join } from 'node:path';
import { openLoop, type LoopSession } from '../../compose/loop/loop.ts';
import { originOf } from '../../compose/loop/origin.ts';
import { openProject, type Project } from '../../compose/project.ts';
import { messageOf } from '../../errors.ts';
import { limitGit } from '../../platform/git/limits.ts';
import type { RunEvent } from '../../events.ts';
import type { Config, LoopState, Verdict } from '../../schema/generated.ts';
import { readResumableState } from '../../state/loops.ts';
import { patiently } from '../database/patiently.ts';
import { pullMemory, pushMemory, type ExchangeOptions } from '../memory/exchange.ts';
import { settingsOfJob } from '../queue/job-settings.ts';
import type { Fleet } from '../queue/open-fleet.ts';
import { HoldLost, requireHold, type JobEnd } from '../queue/settle.ts';
import type { TakenJob } from '../queue/take.ts';
import { createReplica } from '../store/replica.ts';
import { restoreLoopFiles, restoreSnapshots } from '../store/restore-loop.ts';
import { accessOf, requirePullRequests } from './access.ts';
import { checkOut } from './checkout.ts';
import { agentConfinement, requireConfinedAgent } from './confined-agent.ts';
import { requireNamedModels, settingsOfFlagsOnly } from './claims.ts';
import { deliverResult } from './deliver.ts';
import { endReason } from './end-reason.ts';
import { installDependencies } from './install.ts';
import { requireOwnPackages } from './own-packages.ts';
import type { WorkerPlace } from './place.ts';

export interface JobRun {
  readonly fleet: Fleet;
  readonly job: TakenJob;
  readonly place: WorkerPlace;
  /** Absolute path of the job's own folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Settings of this worker, which override those of the job. */
  readonly overrides: Config;
  readonly emit: (event: RunEvent) => void;
  /** True if the worker ends: the loop ends after the running step. */
  readonly stopRequested: () => boolean;
  /** Aborts when the job is lost or cancelled, or the worker must end at once. */
  readonly signal: AbortSignal;
}

/** The end of a loop that stopped because the worker ends: another machine resumes it. */
export const STOPPED = 'stopped';

/** The checkout in the folder of a job. */
export function checkoutOf(folder: string): string {
  return join(folder, 'repository');
}

/**
 * Runs the loop of a job, or resumes it from where another machine stopped, and delivers its result. Git commands end with
 * the job: a push may hang.
 */
export function runJob(run: JobRun): Promise<JobEnd | typeof STOPPED> {
  return limitGit({ signal: run.signal }, () => runLimited(run));
}

async function runLimited(run: JobRun): Promise<JobEnd | typeof STOPPED> {
  const { fleet, job, place, signal, env } = run;
  const root = checkoutOf(run.folder);
  requirePullRequests(job, env);
  const access = accessOf(job.address, env);
  const { base } = await checkOut({ place, access, ref: job.ref, base: job.base, target: root });
  await patiently(() => pinBase(fleet, job, base), signal);
  const isKnown = await patiently(() => restoreLoopFiles(fleet.database, job.id, root), signal);
  const install = { place, root, address: job.address, overrides: run.overrides, env, signal };
  // Links that are committed open nothing.
  if (await installDependencies(install)) await requireOwnPackages(root);
  if (!isKnown) await exchangeMemory(run, root, pullMemory);
  const state = isKnown ? await readResumableState(root, job.loopId) : null;
  const replica = createReplica({ fleet, job, root, signal });
  if (state !== null) await patiently(() => restoreSnapshots(fleet.database, job.id, root), signal);
  const project = await openJobProject(run, root);
  const ended = state === null ? undefined : endOf(state);
  const verdict = ended ?? (await runLoop(run, { project, state, replica }));
  if (verdict.status === 'aborted') return STOPPED;
  await replica.save();
  await exchangeMemory(run, root, pushMemory);
  const result = await deliverResult({
    project,
    loopId: job.loopId,
    verdict,
    how: job.request.delivery,
    access,
    env,
    requireHold: () => patiently(() => fleet.database.transaction((tx) => requireHold(tx, job)), signal),
  });
  return {
    ended: verdict.verified ? 'verified' : verdict.status === 'unproven' ? 'unproven' : 'unverified',
    reason: endReason(verdict, job),
    verdict,
    ...result,
  };
}

/** Reflections that a loop gets of the fleet's memory: the newest. */
const MOST_REFLECTIONS = 300;

/** Memory only helps: the loop goes on without it. */
async function exchangeMemory(
  { fleet, job, signal, emit }: JobRun,
  root: string,
  exchange: (options: ExchangeOptions) => Promise<unknown>,
): Promise<void> {
  const { database } = fleet;
  const repository = { name: job.repository, organisation: job.organisation };
  try {
    await patiently(async () => {
      await database.transaction((tx) => requireHold(tx, job));
      await exchange({ database, repository, root, reflections: MOST_REFLECTIONS });
    }, signal);
  } catch (error) {
    if (error instanceof HoldLost || signal.aborted) throw error;
    emit({ type: 'warning', text: `The fleet's memory was not used: ${messageOf(error)}` });
  }
}

/** The verdict of a loop that had ended when its machine was lost. */
function endOf({ status, verdict }: LoopState): Verdict | undefined {
  const isOver = ['passed', 'nothing_to_do', 'unproven', 'exhausted', 'stalled', 'budget'].includes(status);
  return isOver ? verdict : undefined;
}

/** Every machine starts the loop from the same commit. */
async function pinBase({ database }: Fleet, job: TakenJob, base: string): Promise<void> {
  await database.transaction(async (tx) => {
    await requireHold(tx, job);
    await tx.query('UPDATE ralph.job SET base = $2 WHERE id = $1 AND base IS NULL', [job.id, base]);
  });
}

async function openJobProject(
  { fleet: { database }, job, env, overrides, folder, signal }: JobRun,
  root: string,
): Promise<Project> {
  const { PATH, HOME, XDG_STATE_HOME } = env;
  const { costUsd, tokens } = job.grant;
  const budgets = {
    ...(costUsd === undefined ? {} : { maxCost: costUsd }),
    ...(tokens === undefined ? {} : { maxTokens: tokens }),
  };
  const flags: Config = {
    sandbox: 'strict',
    workspaceDir: join(folder, 'workspace'),
    ...settingsOfJob(job.request.config),
    ...budgets,
    ...overrides,
    sandboxAgent: agentConfinement(overrides),
  };
  const project = await openProject({
    ...{ cwd: root, flags, env: { PATH, HOME, XDG_STATE_HOME }, mayRunInstalled: false },
    flagsOnly: await patiently(() => settingsOfFlagsOnly(database), signal),
  });
  requireConfinedAgent(project.settings, overrides);
  await patiently(() => requireNamedModels(database, project.settings, job.request.config), signal);
  return project;
}

interface LoopStart {
  readonly project: Project;
  /** State of a loop that another machine has begun. */
  readonly state: LoopState | null;
  readonly replica: ReturnType<typeof createReplica>;
}

async function runLoop(run: JobRun, { project, state, replica }: LoopStart): Promise<Verdict> {
  const { job, emit, stopRequested, signal } = run;
  const session: LoopSession = await openLoop({
    project,
    task: job.task,
    proof: job.request.proof,
    delivery: 'branch',
    loopId: job.loopId,
    startedAt: state?.started_at ?? new Date().toISOString(),
    resumed: state !== null,
    ...(state === null ? {} : { base: state.base_tree }),
    ...(state === null ? {} : { head: originOf(state).head ?? project.repository.head }),
    replica,
    emit,
    stopRequested,
    signal,
  });
  try {
    return (await session.run()).verdict;
  } finally {
    await session.close();
  }
}
