import { plural } from '../../platform/text/plural.ts';
import { pruneJobs } from '../queue/retention.ts';
import type { WorkerOptions } from './worker-options.ts';

const PRUNE_MS = 3_600_000;

/** At the start and every hour; several workers at the same time do not hinder each other. */
export function pruneRegularly({ fleet, keptDays, note }: WorkerOptions): () => void {
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
