import { messageOf } from '../../errors.ts';
import type { RunEvent } from '../../events.ts';
import { openTrace } from '../../trace/open-trace.ts';
import { renderDuration } from '../../platform/text/duration.ts';
import { patiently } from '../database/patiently.ts';
import { completeJob, failJob, HoldLost, releaseJob } from '../queue/settle.ts';
import type { TakenJob } from '../queue/take.ts';
import { openEventLog } from '../store/events.ts';
import { isOfTheJob, isOutside, needsRest, reasonOf } from './failure.ts';
import { waitSeconds } from './rest.ts';
import { checkoutOf, runJob, STOPPED } from './run-job.ts';
import type { Running, WorkerOptions } from './worker-options.ts';

/** `ended` here; `failed`, because this machine could not run it; `gone`: back in the queue, at another machine, or cancelled. */
type Outcome = 'ended' | 'failed' | 'gone';

/** Runs a job and settles it. Never rejects. */
export async function runTaken(options: WorkerOptions, { job, abort }: Running): Promise<Outcome> {
  const { fleet, place, note, env, overrides, stopRequested } = options;
  const signal = AbortSignal.any([abort.signal, options.signal]);
  const count =
    job.fence === 1
      ? ''
      : ` It is machine ${job.machines} of this job, which was taken ${job.fence} times, and resumes its loop.`;
  note({
    event: 'taken',
    job: job.id,
    text: `${job.repository} ${job.ref}: ${job.task.slice(0, 80)}${count}`,
  });
  const log = openEventLog(fleet.database, job);
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
    return 'ended';
  } catch (error) {
    await log.close();
    const reason = reasonOf(error, { job, root: checkoutOf(folder.root) });
    return await settleError(options, { job, abort }, { error, reason });
  } finally {
    removeQuietly(folder, note);
    await trace.close();
  }
}

async function settleError(
  options: WorkerOptions,
  { job, abort }: Running,
  { error, reason }: { readonly error: unknown; readonly reason: string },
): Promise<Outcome> {
  const { fleet, note } = options;
  try {
    if (error instanceof HoldLost || abort.signal.aborted) {
      note({ event: 'lost', job: job.id, text: 'Another machine has the job, or it was cancelled.' });
      return 'gone';
    }
    if (options.signal.aborted || options.stopRequested()) return await release(options, job, abort);
    const seconds = isOutside(error) ? waitSeconds(job.retryLimit) : undefined;
    if (seconds !== undefined) {
      await patiently(() => releaseJob(fleet, job, { delay: { seconds, reason } }), abort.signal);
      note({
        event: 'waiting',
        job: job.id,
        text: `${reason} The job is tried again in ${renderDuration(seconds * 1000)}; it counts as no try.`,
      });
      return 'gone';
    }
    const isFinal = isOfTheJob(error);
    await patiently(
      () => (isFinal ? completeJob(fleet, job, { ended: 'failed', reason }) : failJob(fleet, job, reason)),
      abort.signal,
    );
    note({ event: 'failed', job: job.id, text: reason });
    if (isFinal) return 'ended';
    return needsRest(error) ? 'failed' : 'gone';
  } catch (lost) {
    note({ event: 'lost', job: job.id, text: messageOf(lost) });
    return 'gone';
  }
}

async function release(
  { fleet, note, signal }: WorkerOptions,
  job: TakenJob,
  abort: AbortController,
): Promise<Outcome> {
  await patiently(() => releaseJob(fleet, job, { abandons: signal.aborted }), abort.signal);
  note({ event: 'released', job: job.id, text: 'Back in the queue; another machine resumes it.' });
  return 'gone';
}

function removeQuietly(folder: { close(): void }, note: WorkerOptions['note']): void {
  try {
    folder.close();
  } catch (error) {
    note({ event: 'warning', text: `A job's folder was not removed: ${messageOf(error)}` });
  }
}
