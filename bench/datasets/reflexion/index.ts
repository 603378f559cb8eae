import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { usageError } from '../../../src/errors.ts';
import { processItems } from '../pool.ts';
import { openResults } from '../results-file.ts';
import { explainDifferences } from './differences.ts';
import { readLog, type LoggedProblem } from './log.ts';
import { findPython } from './python.ts';
import { replayProblem, type Replay, type ReplayOptions } from './replay.ts';
import { createReport, type ReflexionReport } from './report.ts';

/** A run of the benchmark. */
export interface ReflexionRequest extends Pick<ReplayOptions, 'signal'> {
  /** Program of Python 3. */
  readonly python: string;
  /** The log. */
  readonly file: string;
  /** Number of problems at the same time. */
  readonly jobs: number;
  /** Replays the first problems only; all if absent. */
  readonly limit?: number;
  /** Ids of the problems to replay; all if absent. */
  readonly only?: readonly string[];
  /** File of results from which an interrupted run continues. */
  readonly results?: string;
  readonly onResult: (result: Replay) => void;
}

/**
 * Replays a log of the Reflexion authors through the loop, and explains each difference between the log's results and
 * those of the loop. If the signal is aborted, the report holds the problems finished until then. Throws RalphError for
 * a file that is no log, and where Python does not run.
 */
export async function benchReflexion(request: ReflexionRequest): Promise<ReflexionReport> {
  const { file, jobs, limit, only, results, signal, onResult } = request;
  const log = await readLog(file);
  const problems = select(log, only).slice(0, limit);
  const python = await findPython(request.python, signal);
  const options = { python, signal };
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  const stored = openResults<Replay>(results, {
    benchmark: 'reflexion',
    log: sha256,
    python: python.version,
  });
  const replay = async (problem: LoggedProblem): Promise<Replay> => {
    const earlier = stored.done.get(problem.id);
    if (earlier !== undefined) return earlier;
    const result = await replayProblem(problem, options);
    stored.add(problem.id, result);
    return result;
  };
  const replays = await processItems(problems, replay, { jobs, signal, onResult });
  const differences = await explainDifferences(replays, log, options);
  return createReport({ file, jobs, python: python.version }, replays, {
    differences,
    requested: problems.length,
  });
}

function select(log: readonly LoggedProblem[], ids: readonly string[] | undefined): readonly LoggedProblem[] {
  if (ids === undefined) return log;
  const unknown = ids.find((id) => !log.some((problem) => problem.id === id));
  if (unknown !== undefined) throw usageError(`--only ${unknown}: the log has no such problem.`);
  return log.filter(({ id }) => ids.includes(id));
}
