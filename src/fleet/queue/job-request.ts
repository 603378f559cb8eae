import type { TaskProof } from '../../compose/loop/task-proof.ts';
import type { Config } from '../../schema/generated.ts';
import type { RepositoryId } from './repository-id.ts';

/** Where a verified result goes: a branch of the remote, a pull request from it, or a git bundle in the database. */
export const DELIVERIES = ['branch', 'pull-request', 'bundle'] as const;
export type JobDelivery = (typeof DELIVERIES)[number];

/** A job that opens a pull request needs this label, which a worker with a token for GitHub has. */
export const PULL_REQUEST_LABEL = 'pull-request';

/** One loop that is asked for. */
export interface JobRequest {
  /** A second job with the same key is the first one. Default: none. */
  readonly key?: string | undefined;
  readonly repository: RepositoryId;
  /** Branch or tag; empty: the remote's default branch. */
  readonly ref: string;
  readonly task: string;
  readonly proof: TaskProof;
  /** Settings of the loop: the flags of `ralph run` that `requireJobSettings` accepts. */
  readonly config: Config;
  readonly delivery: JobDelivery;
  /** Labels that a worker must have. */
  readonly labels: readonly string[];
  /** Higher ones first. */
  readonly priority: number;
}

/** The part of a request that is stored as JSON. */
export interface StoredRequest extends Pick<JobRequest, 'proof' | 'config' | 'delivery'> {
  readonly version: 1;
}

/** The largest request that is accepted, in bytes of JSON: what is longer belongs into the repository. */
export const MAX_REQUEST_BYTES = 1024 * 1024;
