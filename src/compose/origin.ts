import { relative } from 'node:path';
import type { DeliveryMode } from '../ports.ts';
import type { Config, LoopState } from '../schema/generated.ts';
import type { Project } from './project.ts';

/** What a loop was started with, kept in its state for `ralph resume` and `ralph apply`. */
export interface LoopOrigin {
  readonly config: Config;
  /** The folder that ralph was started in, relative to the repository's root. */
  readonly cwd: string;
  readonly delivery: DeliveryMode;
  /** Commit that was checked out; unknown for a state that does not say. */
  readonly head?: string;
}

export function originFor({ config, repository }: Project, delivery: DeliveryMode, head: string): LoopOrigin {
  return { config, cwd: relative(repository.root, repository.packageStart), delivery, head };
}

export function originOf({ options }: LoopState): LoopOrigin {
  const { config = {}, cwd = '', delivery = 'tree', head } = options as Partial<LoopOrigin>;
  return { config, cwd, delivery, ...(head !== undefined && { head }) };
}
