import type { RunEvent } from '../../events.ts';
import type { Database } from '../database/database.ts';
import { EVENT_CHANNEL, readEvents } from '../store/events.ts';

const POLL_MS = 1000;
const PAGE = 500;

/** Passes the events of a job on, oldest first, until there are no more; if it is followed, until the job ends. */
export async function followJob(
  database: Database,
  {
    job,
    isFollowed,
    emit,
  }: { readonly job: string; readonly isFollowed: boolean; readonly emit: (event: RunEvent) => void },
): Promise<void> {
  let wake: (() => void) | undefined;
  const stop = isFollowed ? await database.listen(EVENT_CHANNEL, () => wake?.()) : undefined;
  let after = '0';
  try {
    for (;;) {
      const isOver = !isFollowed || (await hasEnded(database, job));
      const events = await readEvents(database, { job, after, limit: PAGE });
      for (const { event } of events) emit(event);
      after = events.at(-1)?.id ?? after;
      if (events.length === PAGE) continue;
      if (isOver) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    await stop?.();
  }
}

async function hasEnded(database: Database, job: string): Promise<boolean> {
  const [row] = await database.query<{ over: boolean }>(
    `SELECT j.ended IS NOT NULL OR coalesce(b.state::text, 'failed') = 'failed' AS over
     FROM ralph.job j LEFT JOIN pgboss.job b ON b.name = 'loops' AND b.id = j.id WHERE j.id = $1`,
    [job],
  );
  return row?.over ?? true;
}
