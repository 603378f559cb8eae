import type { AcceptedEdit } from '../../../src/schema/generated.ts';

/** A bug with the text that repaired it. */
export interface KnownRepair {
  /** The repository or series; earlier repairs of the same one are its memory. */
  readonly series: string;
  /** The commit or module. */
  readonly name: string;
  /** The repaired source file, relative to the root. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** The test that came with the repair, relative to the root; empty without one. */
  readonly testFile: string;
  readonly testText: string;
}

/** A repair that the offline actor proposes, with its places in the order of trials, 1-based. */
export interface PlacedRepair {
  readonly series: string;
  readonly name: string;
  /** As memory stores it. */
  readonly edit: AcceptedEdit;
  /** Number of earlier repairs in its memory. */
  readonly known: number;
  /** Without memory; undefined if the repair lies beyond the limit of candidates. */
  readonly off: number | undefined;
  /** With memory of the earlier repairs. */
  readonly on: number | undefined;
}
