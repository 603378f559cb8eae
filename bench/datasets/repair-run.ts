import type { LoopStatus, Trajectory } from '../../src/schema/generated.ts';

/** The outcome of one run of the loop in a folder. If it is verified, the folder holds the result. */
export interface RepairRun {
  readonly status: LoopStatus;
  readonly verified: boolean;
  /** Why the run ended; one sentence. */
  readonly reason: string;
  /** One per attempt. */
  readonly trajectories: readonly Trajectory[];
}

/** Limits of a run. */
export interface RepairBounds {
  /** Time limit of the whole run, in wall time. */
  readonly budgetMs: number;
  /** The confidence from which an edit is applied, 0..1; the default if absent. */
  readonly minConfidence?: number;
  readonly signal: AbortSignal;
}

/** Largest number of attempts; most runs end earlier because of the budget. */
export const MAX_ITERATIONS = 10;

const ACCEPTED = 'Accepted edit: ';

/** Signatures of the accepted edits, in order. */
export function acceptedEdits({ trajectories }: Pick<RepairRun, 'trajectories'>): string[] {
  return trajectories
    .flatMap(({ actions }) => actions.map(({ description }) => description))
    .filter((description) => description.startsWith(ACCEPTED))
    .map((description) => description.slice(ACCEPTED.length));
}

/** Number of edits tried in all attempts. */
export function triedEdits({ trajectories }: Pick<RepairRun, 'trajectories'>): number {
  return trajectories.reduce((sum, { ruled_out }) => sum + ruled_out.tried, 0);
}

/** How sure the search was of its last choice, 0..1; null if it found no plausible edit. */
export function lastConfidence({ trajectories }: Pick<RepairRun, 'trajectories'>): number | null {
  return trajectories.findLast(({ confidence }) => confidence !== undefined)?.confidence ?? null;
}

/** The plausible edits that were not applied, of the last attempt that had some; best first. */
export function lastAlternatives({ trajectories }: Pick<RepairRun, 'trajectories'>): string[] {
  const last = trajectories.findLast(({ alternatives = [] }) => alternatives.length > 0);
  return last?.alternatives?.map(({ description }) => description) ?? [];
}
