import type { Habits } from '../../../src/repair/habits/habits.ts';
import type { AcceptedEdit } from '../../../src/schema/generated.ts';

/** A bug with the text that repaired it. */
export interface KnownRepair {
  /** The repository or series; earlier repairs of the same one are its memory. */
  readonly series: string;
  /** The commit or module. Repairs of the same commit do not teach each other. */
  readonly name: string;
  /** The repaired source file, relative to the root. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** The test that came with the repair, relative to the root; empty without one. */
  readonly testFile: string;
  readonly testText: string;
  /** True for one of several places of a fix, of which the others are repaired. */
  readonly isPart?: boolean;
  /** What the code and the history up to the bug teach; `history` false: the code alone. */
  readonly learn: (options: { readonly history: boolean }) => Promise<Habits>;
}

/** What memory consists of: habits from the code and the history, or from the code alone, and earlier repairs. */
export type Arm = 'on' | 'code' | 'repairs';

/** A repair that the offline actor proposes, with its places in the order of trials, 1-based. */
export interface PlacedRepair {
  readonly series: string;
  readonly name: string;
  readonly isPart: boolean;
  /** As memory stores it. */
  readonly edit: AcceptedEdit;
  /** Number of earlier repairs in its memory. */
  readonly known: number;
  /** Without memory; undefined if the repair lies beyond the limit of candidates. */
  readonly off: number | undefined;
  /** With memory, or a part of it. */
  readonly places: Partial<Record<Arm, number | undefined>>;
}
