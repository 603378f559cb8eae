import { availableParallelism } from 'node:os';
import { plural } from '../../../src/platform/text/plural.ts';
import { quantile, renderColumns, renderShare } from '../statistics.ts';
import { partOf, PARTS, type Part } from './part.ts';
import { precisionCurve, renderCurve, renderPrecision, type PrecisionPoint } from '../precision.ts';
import type { Visible } from './package-files.ts';
import type { Mode, Outcome, ProblemResult } from './repair.ts';

/** Options of the run. */
export interface BenchOptions {
  readonly file: string;
  readonly visible: Visible;
  readonly mode: Mode;
  readonly budget_seconds: number;
  readonly jobs: number;
}

/** Figures over some problems. */
export interface Summary {
  readonly problems: number;
  readonly repaired: number;
  /** `repaired` and `overfit`. */
  readonly claimed: number;
  readonly overfit: number;
  readonly not_found: number;
  readonly errors: number;
  /** Problems where the accepted result or an alternative passes the judge. */
  readonly best_of_candidates: number;
  readonly median_seconds: number;
  readonly p90_seconds: number;
}

/** The report as it is written as JSON. */
export interface BenchReport {
  readonly benchmark: 'humanevalfix';
  readonly options: BenchOptions;
  readonly node: string;
  readonly cores: number;
  /** False if the run was stopped before every problem was tried. */
  readonly complete: boolean;
  readonly by_bug_type: Readonly<Record<string, Summary>>;
  readonly total: Summary;
  /** The problems on which rules were chosen and those on which results are reported. */
  readonly by_part: Readonly<Record<Part, Summary>>;
  /** Claims that remain at higher thresholds. */
  readonly curve: readonly PrecisionPoint[];
  readonly problems: readonly ProblemResult[];
}

/** Computes the figures. `requested` is the number of problems requested. */
export function createReport(
  options: BenchOptions,
  problems: readonly ProblemResult[],
  requested: number,
): BenchReport {
  const groups = [...Map.groupBy(problems, ({ bug_type }) => bug_type)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    benchmark: 'humanevalfix',
    options,
    node: process.version,
    cores: availableParallelism(),
    complete: problems.length === requested,
    by_bug_type: Object.fromEntries(groups.map(([type, group]) => [type, summarise(group)])),
    total: summarise(problems),
    by_part: {
      tuning: summarise(problems.filter(({ task_id }) => partOf(task_id) === 'tuning')),
      reporting: summarise(problems.filter(({ task_id }) => partOf(task_id) === 'reporting')),
    },
    curve: precisionCurve(
      problems.map(({ outcome, confidence }) => ({
        isClaimed: outcome === 'repaired' || outcome === 'overfit',
        isRight: outcome === 'repaired',
        confidence,
      })),
    ),
    problems,
  };
}

function summarise(results: readonly ProblemResult[]): Summary {
  const count = (outcome: Outcome): number => results.filter((result) => result.outcome === outcome).length;
  const seconds = results.map((result) => result.seconds);
  return {
    problems: results.length,
    repaired: count('repaired'),
    claimed: count('repaired') + count('overfit'),
    overfit: count('overfit'),
    not_found: count('not found'),
    errors: count('error'),
    best_of_candidates: results.filter((result) => result.best_of_candidates).length,
    median_seconds: quantile(seconds, 0.5),
    p90_seconds: quantile(seconds, 0.9),
  };
}

/** One line for a finished problem. */
export function renderResult(result: ProblemResult): string {
  const { task_id, outcome, seconds, tried, tried_per_second, confidence, edits, note } = result;
  const figures = `${seconds.toFixed(1)} s  ${tried} tried, ${Math.round(tried_per_second)}/s`;
  const details = [confidence === null ? '' : `confidence ${confidence.toFixed(2)}`, ...edits, note]
    .filter((text) => text !== '')
    .join('; ')
    .replace(/\s+/g, ' ');
  return `${task_id.padEnd(15)} ${outcome.padEnd(9)}  ${figures}${details === '' ? '' : `  ${details.slice(0, 160)}`}`;
}

const HEAD = [
  'bug type',
  'problems',
  'repaired',
  'share',
  'overfit',
  'best of candidates',
  'median s',
  'p90 s',
];

/** A table by bug type with a total, below two lines about the conditions. */
export function renderReport(report: BenchReport): string[] {
  const { options, by_bug_type, by_part, curve, total, node, cores, complete } = report;
  const rows = [...Object.entries(by_bug_type), ['total', total] as const];
  return [
    `HumanEvalFix: ${describeMode(options.mode)}; the search sees the ${options.visible} tests;`,
    `${options.budget_seconds} s a problem, ${options.jobs} at a time; node ${node}, ${cores} cores${complete ? '' : '; stopped early'}`,
    ...renderColumns([HEAD, ...rows.map(([name, summary]) => rowOf(name, summary))]),
    `${renderPrecision(total.repaired, total.claimed)}; ${PARTS.map((part) => `${part} part ${by_part[part].repaired} of ${by_part[part].claimed}`).join(', ')}`,
    ...renderCurve(curve, total.problems),
    ...(total.errors > 0 ? [`${plural(total.errors, 'problem')} could not be tried.`] : []),
  ];
}

function describeMode(mode: Mode): string {
  return mode === 'in-process'
    ? 'loop and search in one process on a folder, without a repository and without `npm test`'
    : '`ralph run` in a repository of its own, confirmed by `npm test`';
}

function rowOf(name: string, summary: Summary): string[] {
  const { problems, repaired, overfit, best_of_candidates, median_seconds, p90_seconds } = summary;
  return [
    name,
    String(problems),
    String(repaired),
    renderShare(repaired, problems),
    String(overfit),
    String(best_of_candidates),
    median_seconds.toFixed(1),
    p90_seconds.toFixed(1),
  ];
}
