/** Lines of a file, 1-based, both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Lines of the user's tree that its last commits, or nobody's commit yet, brought: by file, relative to the
 * root. A fault that was not there before is likely to be among them.
 */
export type RecentChanges = ReadonlyMap<string, readonly LineRange[]>;

/** Reads them from the user's repository, which is not written to. Empty where they cannot be told. */
export type ReadRecentChanges = () => Promise<RecentChanges>;
