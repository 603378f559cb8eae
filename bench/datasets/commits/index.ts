import { processItems } from '../pool.ts';
import { repairCommit, type CommitOptions, type CommitResult, type CommitTask } from './repair.ts';
import { createCommitsReport, type CommitsReport } from './report.ts';
import { readTargets, type TargetRequest } from './targets.ts';

/** A run of the benchmark. */
export interface CommitsRequest extends CommitOptions, TargetRequest {
  readonly onResult: (result: CommitResult) => void;
}

/**
 * Rebuilds the bugs that commits of local clones fixed and runs ralph on them. If the signal is aborted, the report
 * holds the commits finished until then. Throws a usage error if the request names no valid commits.
 */
export async function benchCommits(request: CommitsRequest): Promise<CommitsReport> {
  const { signal, onResult, budgetMs } = request;
  const targets = await readTargets(request);
  const repair = (target: CommitTask): Promise<CommitResult> => repairCommit(target, request);
  const results = await processItems(targets, repair, { jobs: 1, signal, onResult });
  return createCommitsReport({ budget_seconds: budgetMs / 1000 }, results, targets.length);
}
