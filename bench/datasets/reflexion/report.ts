import { availableParallelism } from 'node:os';
import { plural } from '../../../src/platform/text/plural.ts';
import { renderColumns, renderInterval } from '../statistics.ts';
import type { Difference } from './differences.ts';
import type { Replay } from './replay.ts';

/** Options of the run. */
export interface ReflexionOptions {
  readonly file: string;
  readonly jobs: number;
  /** Version of Python. */
  readonly python: string;
}

/** Figures over problems with the same number of reflections in the log. */
export interface ReflexionRow {
  /** Number of reflections in the log; null for all problems. */
  readonly reflections: number | null;
  readonly problems: number;
  readonly solved_in_log: number;
  readonly verified: number;
}

/** The report as it is written as JSON. */
export interface ReflexionReport {
  readonly benchmark: 'reflexion';
  readonly options: ReflexionOptions;
  readonly node: string;
  readonly cores: number;
  /** False if the run was stopped before every problem was replayed. */
  readonly complete: boolean;
  readonly total: ReflexionRow;
  readonly by_reflections: readonly ReflexionRow[];
  /** Attempts of the log, answers that it has, and reflections that the loop stored. */
  readonly attempts: number;
  readonly stored_answers: number;
  readonly reflections: number;
  readonly differences: readonly Difference[];
  readonly problems: readonly Replay[];
}

/** Computes the figures. `requested` is the number of problems requested. */
export function createReport(
  options: ReflexionOptions,
  replays: readonly Replay[],
  rest: { readonly differences: readonly Difference[]; readonly requested: number },
): ReflexionReport {
  const groups = Map.groupBy(replays, ({ attempts }) => attempts - 1);
  const sum = (of: (replay: Replay) => number): number =>
    replays.reduce((total, each) => total + of(each), 0);
  return {
    benchmark: 'reflexion',
    options,
    node: process.version,
    cores: availableParallelism(),
    complete: replays.length === rest.requested,
    total: rowOf(null, replays),
    by_reflections: [...groups].sort(([a], [b]) => a - b).map(([count, group]) => rowOf(count, group)),
    attempts: sum(({ attempts }) => attempts),
    stored_answers: sum((replay) => replay.stored_answers),
    reflections: sum(({ reflections }) => reflections),
    differences: rest.differences,
    problems: replays,
  };
}

function rowOf(reflections: number | null, replays: readonly Replay[]): ReflexionRow {
  return {
    reflections,
    problems: replays.length,
    solved_in_log: replays.filter(({ log_solved }) => log_solved).length,
    verified: replays.filter(({ verified }) => verified).length,
  };
}

/** One line for a replayed problem. */
export function renderReplay({
  id,
  log_solved,
  verified,
  attempts,
  replayed,
  seconds,
  error,
}: Replay): string {
  const sides = `log ${log_solved ? 'solved' : 'not solved'}, loop ${verified ? 'verified' : 'not verified'}`;
  const mark = log_solved === verified ? '' : '  DIFFERENT';
  const cause = error === '' ? '' : `  ${error.trim().replace(/\s+/g, ' ').slice(0, 100)}`;
  return `${id.padEnd(16)} ${sides}  attempt ${replayed} of ${attempts}  ${seconds.toFixed(1)} s${mark}${cause}`;
}

/** A table by number of reflections, and each difference with its reason. */
export function renderReport(report: ReflexionReport): string[] {
  const { options, total, by_reflections, differences, node, cores, complete } = report;
  const missing = report.attempts - report.stored_answers;
  const head = ['reflections', 'problems', 'solved in log', 'verified', 'verified, 95 % interval'];
  return [
    `Replay of ${options.file}: the log's answers are the actor's, its reflections the reflector's;`,
    `Python ${options.python}; node ${node}, ${cores} cores${complete ? '' : '; stopped early'}`,
    ...renderColumns([head, ...by_reflections.map(cellsOf), cellsOf(total)]),
    `${plural(report.reflections, 'reflection')} of the log stored; ${plural(report.attempts, 'attempt')}, of ${missing} the log does not have the answer.`,
    differences.length === 0
      ? 'Log and loop agree on every problem.'
      : `${plural(differences.length, 'difference')}:`,
    ...differences.map(renderDifference),
  ];
}

function cellsOf({ reflections, problems, solved_in_log, verified }: ReflexionRow): string[] {
  return [
    reflections === null ? 'total' : String(reflections),
    String(problems),
    String(solved_in_log),
    String(verified),
    renderInterval(verified, problems),
  ];
}

function renderDifference({ id, log_solved, verified, kind, reason }: Difference): string {
  return `- ${id}: solved in the log: ${log_solved ? 'yes' : 'no'}, verified: ${verified ? 'yes' : 'no'}; ${kind}. ${reason}`;
}
