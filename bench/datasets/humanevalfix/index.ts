import { mkdir } from 'node:fs/promises';
import { workThrough } from '../pool.ts';
import { readProblems, selectProblems } from './problems.ts';
import { repairProblem, type ProblemResult, type RepairOptions } from './repair.ts';
import { createReport, type BenchReport } from './report.ts';

export interface HumanEvalFixRequest extends RepairOptions {
  /** The file of problems. */
  readonly file: string;
  /** Ids of the problems to try; all when absent. */
  readonly only?: readonly string[];
  /** Problems at a time. */
  readonly jobs: number;
  readonly onResult: (result: ProblemResult) => void;
}

/**
 * Lets ralph repair the problems of a file and judges what it made of them. Where the signal is aborted, the report
 * holds what was done until then. Throws a usage error for a file that is not one of problems.
 */
export async function benchHumanEvalFix(request: HumanEvalFixRequest): Promise<BenchReport> {
  const { file, only, jobs, signal, onResult, keep, visible, mode, budgetMs } = request;
  const problems = selectProblems(await readProblems(file), only);
  if (keep !== undefined) await mkdir(keep, { recursive: true });
  const repair = (problem: (typeof problems)[number]): Promise<ProblemResult> =>
    repairProblem(problem, request);
  const results = await workThrough(problems, repair, { jobs, signal, onResult });
  return createReport(
    { file, visible, mode, budget_seconds: budgetMs / 1000, jobs },
    results,
    problems.length,
  );
}
