/** A range of 1-based lines, both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Lines that the last commits or uncommitted changes introduced, by file relative to the root. A new failure is
 * likely caused by one of them.
 */
export type RecentChanges = ReadonlyMap<string, readonly LineRange[]>;

/** Reads recent changes from the user's repository, without writing to it; empty if there is no history. */
export type ReadRecentChanges = () => Promise<RecentChanges>;
