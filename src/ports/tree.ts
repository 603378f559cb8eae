/** Trees, the differences between them, and their delivery. */
import type { EditPlace } from '../platform/git/edit-place.ts';
import type { Applied } from '../schema/generated.ts';

/** Id of a git tree in ralph's own object store: the content of all files at one moment. */
export type TreeId = string;

/** Difference between two trees. */
export interface ChangeSet {
  readonly files: readonly FileChange[];
  readonly linesAdded: number;
  readonly linesDeleted: number;
  /** Unified diff, including binary files. */
  readonly patch: string;
  /** Where the change stands in its file; only of a single change in a single file. */
  readonly place?: EditPlace;
}

export interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted';
  readonly linesAdded: number;
  readonly linesDeleted: number;
}

/** To the user's working tree, as a commit on the current branch, or as a new branch. */
export type DeliveryMode = 'tree' | 'commit' | 'branch';

export interface DeliveryOutcome {
  readonly applied: Applied;
  readonly branch?: string;
  /** True if the user's tree changed during the loop, so that the result was stored as a branch instead. */
  readonly conflict: boolean;
  /** One sentence for the user. */
  readonly message: string;
}
