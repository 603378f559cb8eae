import type { LoopStatus, Trajectory } from '../../src/schema/generated.ts';

/** What one run of the loop did in a folder. Where it is verified, the folder holds the result. */
export interface RepairRun {
  readonly status: LoopStatus;
  readonly verified: boolean;
  /** One sentence: why it ended so. */
  readonly reason: string;
  /** One for each attempt. */
  readonly trajectories: readonly Trajectory[];
}

/** How a run is bounded. */
export interface RepairBounds {
  /** Wall time of the whole run. */
  readonly budgetMs: number;
  readonly signal: AbortSignal;
}

/** Attempts at most; the budget ends most runs before. */
export const MAX_ITERATIONS = 10;

const ACCEPTED = 'Accepted edit: ';

/** Signatures of the edits that were left in the tree, in order. */
export function acceptedEdits({ trajectories }: Pick<RepairRun, 'trajectories'>): string[] {
  return trajectories
    .flatMap(({ actions }) => actions.map(({ description }) => description))
    .filter((description) => description.startsWith(ACCEPTED))
    .map((description) => description.slice(ACCEPTED.length));
}

/** Edits tried in all attempts. */
export function triedEdits({ trajectories }: Pick<RepairRun, 'trajectories'>): number {
  return trajectories.reduce((sum, { ruled_out }) => sum + ruled_out.tried, 0);
}
