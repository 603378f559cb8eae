import { workThrough } from '../pool.ts';
import { repairCommit, type CommitOptions, type CommitResult, type CommitTask } from './repair.ts';
import { createCommitsReport, type CommitsReport } from './report.ts';
import { readTargets, type TargetRequest } from './targets.ts';

export interface CommitsRequest extends CommitOptions, TargetRequest {
  readonly onResult: (result: CommitResult) => void;
}

/**
 * Lets ralph repair again what commits of local clones repaired. Where the signal is aborted, the report holds what
 * was done until then. Throws a usage error where the commits cannot be told.
 */
export async function benchCommits(request: CommitsRequest): Promise<CommitsReport> {
  const { signal, onResult, budgetMs } = request;
  const targets = await readTargets(request);
  const repair = (target: CommitTask): Promise<CommitResult> => repairCommit(target, request);
  const results = await workThrough(targets, repair, { jobs: 1, signal, onResult });
  return createCommitsReport({ budget_seconds: budgetMs / 1000 }, results, targets.length);
}
