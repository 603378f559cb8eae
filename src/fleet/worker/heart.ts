import { HoldLost, touchJobs } from '../queue/settle.ts';
import { noteWorker } from '../queue/workers.ts';
import type { Bell } from './bell.ts';
import type { Running, WorkerOptions } from './worker-options.ts';

/** A quarter of the shortest heartbeat. */
const BEAT_MS = 2500;

/** Keeps this worker's jobs, and ends the loops of those that it has lost. */
export function startHeart(
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
