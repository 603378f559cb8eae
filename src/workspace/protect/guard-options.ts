import type { CheckPlan } from '../../ports/plan.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import type { Judges } from './judges.ts';

export interface GuardOptions {
  readonly snapshots: Snapshots;
  readonly workspace: GuardedWorkspace;
  /** The user's globs, in addition to the defaults. */
  readonly protect: readonly string[];
  /** Globs of files that the actor may change. */
  readonly allow: readonly string[];
  /** Returns the files from which a test was reported; called each time. */
  readonly testFiles?: () => readonly string[];
  /** Commands that judge the result: the files that they run are protected. */
  readonly judges?: Judges;
  /** Absolute path of the user's repository, to watch its installed packages; if absent, they are not watched. */
  readonly repository?: string;
  /** Installed packages must not have changed since this time, in milliseconds since the epoch. Default: now. */
  readonly watchedSince?: number | undefined;
  /** True if nothing that an attempt runs can write to the user's installed packages. */
  readonly isConfined?: boolean | undefined;
  /** Packages of a registry may be added to package.json and the lock file, if everything else in them stays. Default false. */
  readonly mayAddPackages?: boolean | undefined;
  /** Checks of the verdict; suppressions that affect none of them are ignored. */
  readonly checks?: readonly Pick<CheckPlan, 'name' | 'kind' | 'config'>[];
}

/** The part of a workspace that the guard uses. */
export interface GuardedWorkspace {
  readonly root: string;
  readonly base: TreeId;
  /** The user's ignored files in it. Absent for the user's own tree, from which no ignored file is removed. */
  readonly carried?: readonly string[];
  checkpoint(): Promise<TreeId>;
  repair?(): void;
  /** Files of repositories in the user's own tree that were edited or deleted, relative to the root. */
  changedNested?(): Promise<readonly string[]>;
}
