import { mkdir } from 'node:fs/promises';
import { processItems } from '../pool.ts';
import { usageError } from '../../../src/errors.ts';
import { partOf, type Part } from './part.ts';
import { readProblems, selectProblems } from './problems.ts';
import { repairProblem, type ProblemResult, type RepairOptions } from './repair.ts';
import { createReport, type BenchReport } from './report.ts';

/** A run of the benchmark. */
export interface HumanEvalFixRequest extends RepairOptions {
  /** The file of problems. */
  readonly file: string;
  /** Ids of the problems to try; all if absent. */
  readonly only?: readonly string[];
  /** The part of the problems to try; all if absent. */
  readonly part?: Part;
  /** Number of problems at the same time. */
  readonly jobs: number;
  readonly onResult: (result: ProblemResult) => void;
}

/**
 * Runs ralph on the problems of a file and judges the results. If the signal is aborted, the report holds the problems
 * finished until then. Throws a usage error for a file that holds no valid problems.
 */
export async function benchHumanEvalFix(request: HumanEvalFixRequest): Promise<BenchReport> {
  const { file, only, part, jobs, signal, onResult, keep, visible, mode, budgetMs } = request;
  const selected = selectProblems(await readProblems(file), only);
  const problems = selected.filter(({ taskId }) => part === undefined || partOf(taskId) === part);
  if (problems.length === 0) throw usageError(`--part ${part}: none of the problems belongs to it.`);
  if (keep !== undefined) await mkdir(keep, { recursive: true });
  const repair = (problem: (typeof problems)[number]): Promise<ProblemResult> =>
    repairProblem(problem, request);
  const results = await processItems(problems, repair, { jobs, signal, onResult });
  return createReport(
    { file, visible, mode, budget_seconds: budgetMs / 1000, jobs },
    results,
    problems.length,
  );
}
