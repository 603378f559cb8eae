import { relative } from 'node:path';
import type { DeliveryMode } from '../ports.ts';
import type { Config, LoopState } from '../schema/generated.ts';
import type { Project } from './project.ts';

/** The configuration and place that a loop was started with, stored in its state for `ralph resume` and `ralph apply`. */
export interface LoopOrigin {
  readonly config: Config;
  /** The folder that ralph was started in, relative to the repository's root. */
  readonly cwd: string;
  readonly delivery: DeliveryMode;
  /** Commit that was checked out; absent in states of earlier versions. */
  readonly head?: string;
}

/** Origin of a loop that starts now. */
export function originFor({ config, repository }: Project, delivery: DeliveryMode, head: string): LoopOrigin {
  return { config, cwd: relative(repository.root, repository.packageStart), delivery, head };
}

/** Origin from a loop's state, with defaults for states of earlier versions. */
export function originOf({ options }: LoopState): LoopOrigin {
  const { config = {}, cwd = '', delivery = 'tree', head } = options as Partial<LoopOrigin>;
  return { config, cwd, delivery, head };
}
