import { randomUUID } from 'node:crypto';
import { messageOf } from '../../errors.ts';
import type { RunEvent } from '../../events.ts';
import type { Config } from '../../schema/generated.ts';
import { openTrace } from '../../trace/open-trace.ts';
import { plural } from '../../platform/text/plural.ts';
import { isAway } from '../database/database-error.ts';
import { patiently } from '../database/patiently.ts';
import type { Fleet } from '../queue/open-fleet.ts';
import { completeJob, failJob, HoldLost, releaseJob, touchJobs } from '../queue/settle.ts';
import { pruneJobs } from '../queue/retention.ts';
import { QUEUE_CHANNEL } from '../queue/submit.ts';
import { takeJob, type TakenJob, type Taker } from '../queue/take.ts';
import { noteWorker, registerWorker } from '../queue/workers.ts';
import { openEventLog } from '../store/events.ts';
import { isOfTheJob, reasonOf } from './failure.ts';
import type { WorkerPlace } from './place.ts';
import { runJob, STOPPED } from './run-job.ts';

/** One line of a worker's log. */
export interface WorkerNote {
  readonly event:
    'started' | 'taken' | 'ended' | 'failed' | 'released' | 'lost' | 'draining' | 'pruned' | 'warning';
  readonly job?: string;
  /** A sentence. */
  readonly text: string;
}

export interface WorkerOptions {
  readonly fleet: Fleet;
  readonly name: string;
  /** Number of loops at the same time, 1 or more. */
  readonly concurrency: number;
  readonly labels: readonly string[];
  /** Globs of repositories' names; empty: all. */
  readonly repositories: readonly string[];
  /** `once`: ends after one job; `drain`: ends when there is no job that it may take. */
  readonly until: 'stopped' | 'once' | 'drain';
  readonly place: WorkerPlace;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Settings that override those of every job. */
  readonly overrides: Config;
  readonly note: (note: WorkerNote) => void;
  /** What ended jobs leave behind is removed after so many days; may be a fraction. */
  readonly keptDays: number;
  /** True when the worker should take no further job, and put those that it runs back into the queue. */
  readonly stopRequested: () => boolean;
  /** Aborted when running jobs must be given up at once. */
  readonly signal: AbortSignal;
}

const IDLE_POLL_MS = 2000;
/** A quarter of the shortest heartbeat. */
const BEAT_MS = 2500;
const PRUNE_MS = 3_600_000;

/** A job that runs in this process. */
interface Running {
  readonly job: TakenJob;
  readonly abort: AbortController;
}

/** Takes jobs and runs their loops until it is stopped; resolves with the number of jobs that ended here. */
export async function runWorker(options: WorkerOptions): Promise<number> {
  const { fleet, name, labels, repositories, concurrency, note, signal } = options;
  const taker: Taker = { id: randomUUID(), name, labels, repositories };
  const twins = await registerWorker(fleet.database, { id: taker.id, name, labels, concurrency });
  note({ event: 'started', text: `Worker ${name} waits for jobs of ${fleet.database.place}.` });
  if (twins.length > 0)
    note({
      event: 'warning',
      text: `Another worker has the name ${name} too: ${twins.join(', ')}. Give each a name of its own with --name.`,
    });
  const running = new Map<string, Running>();
  const bell = createBell();
  const stopListening = await fleet.database.listen(QUEUE_CHANNEL, bell.ring);
  const onAbort = (): void => bell.ring();
  signal.addEventListener('abort', onAbort);
  const stopPruning = pruneRegularly(options);
  const heart = startHeart(options, { worker: taker.id, running, bell });
  try {
    return await takeAndRun(options, { taker, running, bell });
  } finally {
    heart.stop();
    stopPruning();
    signal.removeEventListener('abort', onAbort);
    await stopListening();
    await noteWorker(fleet.database, taker.id, 'ended').catch(() => {});
  }
}

interface Work {
  readonly taker: Taker;
  readonly running: Map<string, Running>;
  readonly bell: Bell;
}

async function takeAndRun(options: WorkerOptions, { taker, running, bell }: Work): Promise<number> {
  const { fleet, concurrency, until, signal } = options;
  const stops = (): boolean => options.stopRequested() || signal.aborted;
  const tasks = new Set<Promise<void>>();
  let ended = 0;
  let taken = 0;
  for (;;) {
    const mayTake = !stops() && running.size < concurrency && !(until === 'once' && taken > 0);
    const job = mayTake ? await takeNow(options, fleet, taker) : undefined;
    const isDry = mayTake && job === undefined;
    if (job !== undefined) {
      taken++;
      const entry = { job, abort: new AbortController() };
      running.set(job.id, entry);
      const task: Promise<void> = runTaken(options, entry).then((isEnded) => {
        ended += Number(isEnded);
        running.delete(job.id);
        tasks.delete(task);
        bell.ring();
      });
      tasks.add(task);
      continue;
    }
    const isDone = (until === 'once' && taken > 0) || (until === 'drain' && isDry);
    if (tasks.size === 0 && (stops() || isDone)) return ended;
    await bell.wait(IDLE_POLL_MS);
  }
}

/** A server that is away is waited for. */
async function takeNow(
  { signal, note }: WorkerOptions,
  fleet: Fleet,
  taker: Taker,
): Promise<TakenJob | undefined> {
  try {
    return await takeJob(fleet, taker);
  } catch (error) {
    if (!isAway(error)) throw error;
    note({ event: 'warning', text: `The database is away: ${messageOf(error)}` });
    return signal.aborted
      ? undefined
      : await patiently(() => takeJob(fleet, taker), signal).catch(() => undefined);
  }
}

/** Runs a job and settles it. True if it ended here. Never rejects. */
async function runTaken(options: WorkerOptions, { job, abort }: Running): Promise<boolean> {
  const { fleet, place, note, env, overrides, stopRequested } = options;
  const signal = AbortSignal.any([abort.signal, options.signal]);
  const count = job.fence === 1 ? '' : ` It is machine ${job.fence} of this job, and resumes its loop.`;
  note({
    event: 'taken',
    job: job.id,
    text: `${job.repository} ${job.ref}: ${job.task.slice(0, 80)}${count}`,
  });
  const log = openEventLog(fleet.database, job.id);
  const trace = await openTrace(env, {
    'ralph.job.id': job.id,
    'ralph.job.machine': job.fence,
    'ralph.repository': job.repository,
  });
  const folder = place.openJob(job.id);
  try {
    const run = {
      fleet,
      job,
      place,
      folder: folder.root,
      env,
      overrides,
      emit: (event: RunEvent) => {
        log.emit(event);
        trace.on(event);
      },
      stopRequested,
      signal,
    };
    const end = await runJob(run);
    await log.close();
    if (end === STOPPED) return await release(options, job, abort);
    await patiently(() => completeJob(fleet, job, end), abort.signal);
    note({ event: 'ended', job: job.id, text: `${end.ended}: ${end.reason}` });
    return true;
  } catch (error) {
    await log.close();
    return await settleError(options, { job, abort }, error);
  } finally {
    removeQuietly(folder, note);
    await trace.close();
  }
}

async function settleError(
  options: WorkerOptions,
  { job, abort }: Running,
  error: unknown,
): Promise<boolean> {
  const { fleet, note } = options;
  try {
    if (error instanceof HoldLost || abort.signal.aborted) {
      note({ event: 'lost', job: job.id, text: 'Another machine has the job, or it was cancelled.' });
      return false;
    }
    if (options.signal.aborted || options.stopRequested()) return await release(options, job, abort);
    const reason = reasonOf(error);
    const isFinal = isOfTheJob(error);
    await patiently(
      () => (isFinal ? completeJob(fleet, job, { ended: 'failed', reason }) : failJob(fleet, job, reason)),
      abort.signal,
    );
    note({ event: 'failed', job: job.id, text: reason });
    return isFinal;
  } catch (lost) {
    note({ event: 'lost', job: job.id, text: messageOf(lost) });
    return false;
  }
}

async function release(
  { fleet, note }: WorkerOptions,
  job: TakenJob,
  abort: AbortController,
): Promise<false> {
  await patiently(() => releaseJob(fleet, job), abort.signal);
  note({ event: 'released', job: job.id, text: 'Back in the queue; another machine resumes it.' });
  return false;
}

/** Keeps this worker's jobs, and ends the loops of those that it has lost. */
function startHeart(
  { fleet, note, stopRequested }: WorkerOptions,
  {
    worker,
    running,
    bell,
  }: { readonly worker: string; readonly running: Map<string, Running>; readonly bell: Bell },
): { stop(): void } {
  let isBeating = false;
  let wasStopped = false;
  const beat = async (): Promise<void> => {
    if (isBeating) return;
    isBeating = true;
    try {
      const held = [...running.values()];
      const kept = await touchJobs(
        fleet,
        held.map(({ job }) => job),
      );
      for (const { job, abort } of held)
        if (!kept.has(job.id) && running.has(job.id)) abort.abort(new HoldLost(job.id));
      await noteWorker(fleet.database, worker, stopRequested() ? 'draining' : 'running');
    } catch {
      // The server is away; the next beat tries again, and the server decides whether it came in time.
    } finally {
      isBeating = false;
    }
    if (!stopRequested() || wasStopped) return;
    wasStopped = true;
    note({ event: 'draining', text: `Takes no more jobs; ${running.size} end after the running step.` });
    bell.ring();
  };
  const timer = setInterval(() => void beat(), BEAT_MS);
  return { stop: () => clearInterval(timer) };
}

/** At the start and every hour; several workers at the same time do not hinder each other. */
function pruneRegularly({ fleet, keptDays, note }: WorkerOptions): () => void {
  const prune = async (): Promise<void> => {
    try {
      const { emptied, removed } = await pruneJobs(fleet.database, keptDays);
      if (emptied + removed > 0)
        note({
          event: 'pruned',
          text: `Removed what ${plural(emptied, 'ended job')} left behind, and ${plural(removed, 'old job')}.`,
        });
    } catch {
      // The server is away; the next hour tries again.
    }
  };
  void prune();
  const timer = setInterval(() => void prune(), PRUNE_MS);
  return () => clearInterval(timer);
}

interface Bell {
  readonly ring: () => void;
  /** Resolves at the next ring, at once if there was one since the last call, or after `ms`. */
  wait(ms: number): Promise<void>;
}

function createBell(): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      hasRung = true;
      wake?.();
    },
    async wait(ms) {
      if (!hasRung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      hasRung = false;
      wake = undefined;
    },
  };
}

function removeQuietly(folder: { close(): void }, note: WorkerOptions['note']): void {
  try {
    folder.close();
  } catch (error) {
    note({ event: 'warning', text: `A job's folder was not removed: ${messageOf(error)}` });
  }
}
