import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { messageOf, usageError } from '../../../src/errors.ts';
import { processItems } from '../pool.ts';
import { openResults } from '../results-file.ts';
import { cloneOf, hasCommit } from './clones.ts';
import { readInstances, type SweInstance } from './instance.ts';
import { renderPrediction } from './prediction.ts';
import { createReport, type SweReport } from './report.ts';
import { solveInstance, type SolveOptions, type SweResult } from './solve.ts';

/** A run of the benchmark. */
export interface SweRequest extends SolveOptions {
  /** The file of instances. */
  readonly file: string;
  readonly jobs: number;
  readonly limit?: number;
  /** Ids of the instances to try; all if absent. */
  readonly only?: readonly string[];
  /** File of results from which an interrupted run continues. */
  readonly results?: string;
  /** File to which the patches are written in the form of the data set. */
  readonly predictions?: string;
  /** US dollars of all runs together; no instance is begun once they are spent. */
  readonly maxCostUsd?: number;
  readonly onResult: (result: SweResult) => void;
}

/**
 * Runs ralph on the instances of a file and judges its patches by their tests. If the signal is aborted, the report
 * holds the instances finished until then. Throws a usage error for an invalid file, a missing clone or commit.
 */
export async function benchSwe(request: SweRequest): Promise<SweReport> {
  const { file, jobs, only, limit, onResult, signal, tests, flags, budgetMs } = request;
  const instances = select(await readInstances(file), only).slice(0, limit);
  await checkClones(instances, request.clones);
  const stored = openResults<SweResult>(request.results, await keyOf(request));
  const spending = createSpending(request.maxCostUsd);
  const solve = async (instance: SweInstance): Promise<SweResult | undefined> => {
    const result =
      stored.done.get(instance.id) ??
      (spending.isOver() ? undefined : await solveInstance(instance, request));
    if (result === undefined) return undefined;
    spending.add(result);
    // An error, such as a failed installation, is tried again by the next run.
    if (!stored.done.has(instance.id) && result.outcome !== 'error') stored.add(instance.id, result);
    return result;
  };
  const report = (result: SweResult | undefined): void => {
    if (result !== undefined) onResult(result);
  };
  const all = await processItems(instances, solve, { jobs, signal, onResult: report });
  const results = all.filter((result) => result !== undefined);
  if (request.predictions !== undefined)
    await writePredictions(request.predictions, { instances, results, model: ['ralph', ...flags].join(' ') });
  const options = { file, tests, flags, budget_seconds: budgetMs / 1000, jobs };
  return createReport(options, results, instances.length);
}

function select(instances: readonly SweInstance[], ids: readonly string[] | undefined): SweInstance[] {
  const unknown = ids?.find((id) => !instances.some((instance) => instance.id === id));
  if (unknown !== undefined) throw usageError(`--only ${unknown}: the file has no such instance_id.`);
  return instances.filter(({ id }) => ids === undefined || ids.includes(id));
}

async function checkClones(instances: readonly SweInstance[], clones: string): Promise<void> {
  for (const { repo, baseCommit, id } of instances) {
    const clone = cloneOf(clones, repo);
    if (!(await hasCommit(clone, baseCommit)))
      throw usageError(
        `${id}: ${clone} has no commit ${baseCommit}.`,
        `git -C ${clone} fetch origin ${baseCommit}`,
      );
  }
}

async function keyOf({ file, tests, budgetMs, flags, install }: SweRequest): Promise<Record<string, string>> {
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  return {
    benchmark: 'swe',
    instances: sha256,
    tests,
    install,
    budget: `${budgetMs} ms`,
    flags: flags.join(' '),
  };
}

interface BenchSpending {
  isOver(): boolean;
  add(result: SweResult): void;
}

/** A result without a known cost ends a limited run: what is spent is not known any more. */
function createSpending(maxCostUsd: number | undefined): BenchSpending {
  let spent = 0;
  return {
    isOver: () => maxCostUsd !== undefined && spent >= maxCostUsd,
    add({ usage }) {
      spent += usage === null ? 0 : (usage.cost_usd ?? Infinity);
    },
  };
}

interface Predictions {
  readonly instances: readonly SweInstance[];
  readonly results: readonly SweResult[];
  readonly model: string;
}

async function writePredictions(file: string, { instances, results, model }: Predictions): Promise<void> {
  const lines = results.map(({ instance_id, patch }) => {
    const instance = instances.find(({ id }) => id === instance_id)!;
    return `${renderPrediction(instance, model, patch)}\n`;
  });
  await writeFile(file, lines.join('')).catch((error: unknown) => {
    throw usageError(`--predictions ${file} cannot be written: ${messageOf(error)}`);
  });
}
