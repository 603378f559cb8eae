import type { Ground, GroundName } from './grounds.ts';
import type { ActorFiles } from './workspace.ts';

/** One actor of the catalogue, and the repositories that it is let loose on. */
export interface Case {
  /** Line of the attack list, 1–41; 0 for honest work. */
  readonly number: number;
  /** What it does; unique. */
  readonly name: string;
  readonly on: readonly GroundName[];
  /** The edits; the working directory is the workspace. */
  act(files: ActorFiles, ground: Ground): void;
  /** Flags of the run beside the command; for a check that the actor never sees, say. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Files that the repository has beside those of its ground. */
  readonly files?: Readonly<Record<string, string>>;
}
