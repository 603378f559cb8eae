import { randomUUID } from 'node:crypto';
import { messageOf } from '../../errors.ts';
import { isPassing } from '../database/database-error.ts';
import { renderDuration } from '../../platform/text/duration.ts';
import { isJobComing } from '../queue/coming-jobs.ts';
import type { Fleet } from '../queue/open-fleet.ts';
import { PULL_REQUEST_LABEL } from '../queue/job-request.ts';
import { describeUnmatched } from '../queue/repository-globs.ts';
import { HoldLost } from '../queue/settle.ts';
import { QUEUE_CHANNEL } from '../queue/submit.ts';
import { takeJob, type TakenJob, type Taker } from '../queue/take.ts';
import { noteWorker, registerWorker } from '../queue/workers.ts';
import { gitHubToken } from './access.ts';
import { createBell, type Bell } from './bell.ts';
import { startHeart } from './heart.ts';
import { pruneRegularly } from './prune.ts';
import { createRest } from './rest.ts';
import { runTaken } from './run-taken.ts';
import type { Running, WorkerOptions } from './worker-options.ts';

const IDLE_POLL_MS = 2000;

/** Takes jobs and runs their loops until it is stopped; resolves with the number of jobs that ended here. */
export async function runWorker(options: WorkerOptions): Promise<number> {
  const { fleet, name, repositories, concurrency, note, signal, env } = options;
  const opensPulls = gitHubToken(env) !== undefined;
  const labels = opensPulls ? [...new Set([...options.labels, PULL_REQUEST_LABEL])] : options.labels;
  const taker: Taker = { id: randomUUID(), name, labels, repositories };
  const twins = await registerWorker(fleet.database, { id: taker.id, name, labels, concurrency });
  const except = opensPulls ? '' : ', except those that open a pull request: GITHUB_TOKEN is not set';
  note({ event: 'started', text: `Worker ${name} waits for jobs of ${fleet.database.place}${except}.` });
  if (twins.length > 0)
    note({
      event: 'warning',
      text: `Another worker has the name ${name} too: ${twins.join(', ')}. Give each a name of its own with --name.`,
    });
  for (const text of await describeUnmatched(fleet.database, repositories)) note({ event: 'warning', text });
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
  const { fleet, concurrency, until, signal, note } = options;
  const stops = (): boolean => options.stopRequested() || signal.aborted;
  const tasks = new Set<Promise<void>>();
  const rest = createRest();
  let ended = 0;
  let taken = 0;
  let wasAway = false;
  for (;;) {
    const mayTake =
      !stops() && running.size < concurrency && rest.remainingMs() === 0 && !(until === 'once' && taken > 0);
    const found = mayTake ? await takeNow(fleet, taker) : undefined;
    const isAway = found instanceof Error;
    const job = isAway ? undefined : found;
    const isDry = mayTake && found === undefined;
    if (isAway && !wasAway) note({ event: 'warning', text: `Waits for the database: ${messageOf(found)}` });
    if (mayTake) wasAway = isAway;
    if (job !== undefined) {
      taken++;
      const entry = { job, abort: new AbortController() };
      // A crash of the server can undo a take, and give this worker the same job again.
      running.get(job.id)?.abort.abort(new HoldLost(job.id));
      running.set(job.id, entry);
      const task: Promise<void> = runTaken(options, entry).then((outcome) => {
        ended += Number(outcome === 'ended');
        if (outcome === 'ended') rest.forget();
        if (outcome === 'failed')
          note({
            event: 'resting',
            text: `Takes no job for ${renderDuration(rest.begin())}: another machine may have it.`,
          });
        if (running.get(job.id) === entry) running.delete(job.id);
        tasks.delete(task);
        bell.ring();
      });
      tasks.add(task);
      continue;
    }
    const isDone = (until === 'once' && taken > 0) || (until === 'drain' && isDry);
    const mayEnd = tasks.size === 0 && (stops() || isDone);
    if (mayEnd && (stops() || until === 'once' || !(await comesLater(fleet, taker)))) return ended;
    await bell.wait(Math.min(IDLE_POLL_MS, rest.remainingMs() || IDLE_POLL_MS));
  }
}

/** True if a job of a silent worker may have to be taken, or the server cannot be asked now. */
async function comesLater({ database }: Fleet, { id }: Taker): Promise<boolean> {
  try {
    return await isJobComing(database, id);
  } catch (error) {
    if (isPassing(error)) return true;
    throw error;
  }
}

/** A job, undefined if there is none to take, or why the server cannot be asked now. */
async function takeNow(fleet: Fleet, taker: Taker): Promise<TakenJob | Error | undefined> {
  try {
    return await takeJob(fleet, taker);
  } catch (error) {
    if (isPassing(error)) return error as Error;
    throw error;
  }
}
