import { relative } from 'node:path';
import { withoutRemoved } from '../../config/removed-settings.ts';
import type { DeliveryMode } from '../../ports/tree.ts';
import type { Config, LoopState } from '../../schema/generated.ts';
import type { LoopRequest } from './loop-request.ts';
import { NO_TASK, type TaskProof } from './task-proof.ts';

/** The configuration and place that a loop was started with, stored in its state for `ralph resume` and `ralph apply`. */
export interface LoopOrigin {
  readonly config: Config;
  /** The folder that ralph was started in, relative to the repository's root. */
  readonly cwd: string;
  readonly delivery: DeliveryMode;
  /** Commit that was checked out; absent in states of earlier versions. */
  readonly head?: string;
  /** Criteria of the task; without any in states of earlier versions. */
  readonly proof: TaskProof;
}

/** Origin of a loop that starts now. */
export function originFor({ project, delivery, proof }: LoopRequest, head: string): LoopOrigin {
  const { config, repository } = project;
  return { config, cwd: relative(repository.root, repository.packageStart), delivery, head, proof };
}

/** Origin from a loop's state, with defaults for states of earlier versions. */
export function originOf({ options }: LoopState): LoopOrigin {
  const { config = {}, cwd = '', delivery = 'tree', head, proof = NO_TASK } = options as Partial<LoopOrigin>;
  return { config: withoutRemoved(config), cwd, delivery, head, proof };
}
