import type { Config } from '../../schema/generated.ts';
import type { Fleet } from '../queue/open-fleet.ts';
import type { TakenJob } from '../queue/take.ts';
import type { WorkerPlace } from './place.ts';

/** One line of a worker's log. */
export interface WorkerNote {
  readonly event:
    | 'started'
    | 'taken'
    | 'ended'
    | 'failed'
    | 'resting'
    | 'waiting'
    | 'released'
    | 'lost'
    | 'draining'
    | 'pruned'
    | 'warning';
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
  /** Number of days after which the remains of ended jobs are removed; may be a fraction. */
  readonly keptDays: number;
  /** True when the worker should take no further job, and put those that it runs back into the queue. */
  readonly stopRequested: () => boolean;
  /** Aborted when running jobs must be given up at once. */
  readonly signal: AbortSignal;
}

/** A job that runs in this process. */
export interface Running {
  readonly job: TakenJob;
  readonly abort: AbortController;
}
