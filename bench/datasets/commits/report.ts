import { availableParallelism } from 'node:os';
import { plural } from '../../../src/platform/text/plural.ts';
import { renderPrecision } from '../precision.ts';
import { quantile, renderColumns, renderShare } from '../statistics.ts';
import type { CommitResult } from './repair.ts';

/** Figures over some commits; the times are those of the reproducible ones. */
export interface CommitSummary {
  readonly commits: number;
  readonly reproducible: number;
  readonly repaired: number;
  /** Number of repaired commits with the developer's text (`same_text`) or an equal syntax tree (`same_syntax`). */
  readonly same_text: number;
  readonly same_syntax: number;
  readonly errors: number;
  readonly median_seconds: number;
  readonly p90_seconds: number;
}

/** The report as it is written as JSON. */
export interface CommitsReport {
  readonly benchmark: 'commits';
  readonly options: { readonly budget_seconds: number };
  readonly node: string;
  readonly cores: number;
  /** False if the run was stopped before every commit was tried. */
  readonly complete: boolean;
  readonly by_repository: Readonly<Record<string, CommitSummary>>;
  readonly total: CommitSummary;
  readonly commits: readonly CommitResult[];
}

/** Computes the figures. `requested` is the number of commits requested. */
export function createCommitsReport(
  options: CommitsReport['options'],
  commits: readonly CommitResult[],
  requested: number,
): CommitsReport {
  const groups = [...Map.groupBy(commits, ({ repository }) => repository)];
  return {
    benchmark: 'commits',
    options,
    node: process.version,
    cores: availableParallelism(),
    complete: commits.length === requested,
    by_repository: Object.fromEntries(groups.map(([name, group]) => [name, summarise(group)])),
    total: summarise(commits),
    commits,
  };
}

function summarise(results: readonly CommitResult[]): CommitSummary {
  const count = (test: (result: CommitResult) => boolean): number => results.filter(test).length;
  const tried = results.filter(({ outcome }) => outcome === 'repaired' || outcome === 'not repaired');
  const seconds = tried.map((result) => result.seconds);
  return {
    commits: results.length,
    reproducible: tried.length,
    repaired: count(({ outcome }) => outcome === 'repaired'),
    same_text: count(({ same }) => same === 'text'),
    same_syntax: count(({ same }) => same === 'syntax'),
    errors: count(({ outcome }) => outcome === 'error'),
    median_seconds: quantile(seconds, 0.5),
    p90_seconds: quantile(seconds, 0.9),
  };
}

/** One line for a finished commit. */
export function renderCommit(result: CommitResult): string {
  const { repository, commit, outcome, seconds, tried, same, edits, reason, subject } = result;
  const figures = seconds > 0 ? `  ${seconds.toFixed(1)} s, ${tried} tried` : '';
  const details = outcome === 'repaired' ? `same: ${same}; ${edits.join('; ')}` : reason;
  const line = `${repository} ${commit.slice(0, 10)} ${outcome.padEnd(16)}${figures}  ${subject.slice(0, 50)}: ${details}`;
  return line.replace(/\s*\n\s*/g, ' ').slice(0, 240);
}

const HEAD = [
  'repository',
  'commits',
  'reproducible',
  'repaired',
  'share',
  'same text',
  'same syntax',
  'median s',
  'p90 s',
];

/** A table by repository with a total, below two lines about the conditions. */
export function renderCommitsReport(report: CommitsReport): string[] {
  const { by_repository, total, options, node, cores, complete } = report;
  const rows = [...Object.entries(by_repository), ['total', total] as const];
  return [
    'Commits: `ralph run` on each bug, rebuilt in a repository of its own without history;',
    `${options.budget_seconds} s a commit; node ${node}, ${cores} cores${complete ? '' : '; stopped early'}; share of the reproducible commits`,
    ...renderColumns([HEAD, ...rows.map(([name, summary]) => rowOf(name, summary))]),
    `${renderPrecision(total.same_text + total.same_syntax, total.repaired)}, where right means: with the text or syntax of the developer's fix`,
    ...(total.errors > 0 ? [`${plural(total.errors, 'commit')} could not be tried.`] : []),
  ];
}

function rowOf(name: string, summary: CommitSummary): string[] {
  const { commits, reproducible, repaired, same_text, same_syntax, median_seconds, p90_seconds } = summary;
  return [
    name,
    String(commits),
    String(reproducible),
    String(repaired),
    renderShare(repaired, reproducible),
    String(same_text),
    String(same_syntax),
    median_seconds.toFixed(1),
    p90_seconds.toFixed(1),
  ];
}
