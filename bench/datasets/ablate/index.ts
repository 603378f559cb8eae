import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, usageError } from '../../../src/errors.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { readProblems, selectProblems, type Problem } from '../humanevalfix/problems.ts';
import type { Visible } from '../humanevalfix/package-files.ts';
import { processItems } from '../pool.ts';
import { openResults } from '../results-file.ts';
import type { Arm } from './arms.ts';
import { planCost } from './cost.ts';
import { renderPage } from './page.ts';
import { createReport, type AblateReport } from './report.ts';
import { runArm, type ArmResult } from './run-arm.ts';

/** A run of the benchmark. */
export interface AblateRequest {
  /** The file of HumanEvalFix problems. */
  readonly file: string;
  readonly arms: readonly Arm[];
  /** Flags of every arm. */
  readonly common: readonly string[];
  readonly visible: Visible;
  readonly budgetMs: number;
  /** Arms at the same time; the problems of an arm run one after the other, because they share its memory. */
  readonly jobs: number;
  readonly limit?: number;
  readonly only?: readonly string[];
  readonly results?: string;
  /** File for the report page. */
  readonly html?: string;
  /** Limit of all runs together, in US dollars. */
  readonly totalUsd?: number;
  readonly signal: AbortSignal;
  /** Receives a sentence on the cost before the first run. */
  readonly onPlan: (text: string) => void;
  readonly onResult: (result: ArmResult) => void;
}

/**
 * Runs every arm on the same problems. If the signal is aborted or the cost is spent, the report holds the runs finished
 * until then. Throws a usage error for an invalid file, and for runs whose cost has no limit.
 */
export async function benchAblate(request: AblateRequest): Promise<AblateReport> {
  const { file, arms, common, visible, budgetMs, jobs, totalUsd, signal, onPlan } = request;
  const problems = selectProblems(await readProblems(file), request.only).slice(0, request.limit);
  onPlan(planCost(arms, { common, problems: problems.length, totalUsd }).text);
  const memoryDir = makeTemporaryFolder('bench-memory');
  try {
    const results: ArmResult[] = [];
    const runOne = await createRunner(request, memoryDir, results);
    const work = async (arm: Arm): Promise<void> => {
      for (const problem of problems) if (!signal.aborted) await runOne(arm, problem);
    };
    await processItems(arms, work, { jobs, signal, onResult: () => {} });
    const options = { file, visible, common, budget_seconds: budgetMs / 1000 };
    const report = createReport(options, { arms, results, requested: arms.length * problems.length });
    if (request.html !== undefined) await writePage(request.html, report);
    return report;
  } finally {
    removeTemporaryFolder(memoryDir);
  }
}

type RunOne = (arm: Arm, problem: Problem) => Promise<void>;

/** An arm's memory is not in the file of results: a continued run begins with an empty one. */
async function createRunner(
  request: AblateRequest,
  memoryDir: string,
  results: ArmResult[],
): Promise<RunOne> {
  const { arms, totalUsd, onResult } = request;
  const stored = openResults<ArmResult>(request.results, await keyOf(request));
  let spentUsd = 0;
  return async (arm, problem) => {
    const id = `${arm.name} ${problem.taskId}`;
    const earlier = stored.done.get(id);
    if (earlier === undefined && totalUsd !== undefined && spentUsd >= totalUsd) return;
    const folder = join(memoryDir, String(arms.indexOf(arm)));
    const result = earlier ?? (await runArm(arm, problem, { ...request, memoryDir: folder }));
    // A run without a known cost may have cost anything.
    spentUsd += result.usage === null ? 0 : (result.usage.cost_usd ?? Infinity);
    if (earlier === undefined) stored.add(id, result);
    results.push(result);
    onResult(result);
  };
}

async function keyOf({
  file,
  arms,
  common,
  visible,
  budgetMs,
}: AblateRequest): Promise<Record<string, string>> {
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  const budget = `${budgetMs} ms`;
  return {
    ...{ benchmark: 'ablate', problems: sha256, visible, budget, flags: common.join(' ') },
    arms: JSON.stringify(arms),
  };
}

async function writePage(target: string, report: AblateReport): Promise<void> {
  await writeFile(target, renderPage(report)).catch((error: unknown) => {
    throw usageError(`--html ${target} cannot be written: ${messageOf(error)}`);
  });
}
