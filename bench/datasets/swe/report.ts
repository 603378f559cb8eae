import { availableParallelism } from 'node:os';
import type { Usage } from '../../../src/schema/generated.ts';
import { plural } from '../../../src/platform/text/plural.ts';
import { NO_USAGE, sumUsage } from '../../../src/schema/usage.ts';
import { renderPrecision } from '../precision.ts';
import { quantile, renderColumns, renderInterval } from '../statistics.ts';
import type { SweOutcome, SweResult, TestsShown } from './solve.ts';

/** Options of the run. */
export interface SweOptions {
  readonly file: string;
  readonly tests: TestsShown;
  readonly flags: readonly string[];
  readonly budget_seconds: number;
  readonly jobs: number;
}

/** Figures over some instances. */
export interface SweSummary {
  readonly instances: number;
  /** Instances with a patch that applies. */
  readonly applied: number;
  readonly resolved: number;
  /** Instances on which a test that passed does not any more. */
  readonly regressed: number;
  /** Results that the loop counts as verified, and those of them that are resolved. */
  readonly verified: number;
  readonly verified_resolved: number;
  readonly errors: number;
  readonly usage: Usage;
  readonly median_seconds: number;
}

/** The report as it is written as JSON. */
export interface SweReport {
  readonly benchmark: 'swe';
  readonly options: SweOptions;
  readonly node: string;
  readonly cores: number;
  /** False if the run was stopped before every instance was tried. */
  readonly complete: boolean;
  readonly by_repository: Readonly<Record<string, SweSummary>>;
  /** Only for instances with a size class. */
  readonly by_size: Readonly<Record<string, SweSummary>>;
  readonly total: SweSummary;
  readonly instances: readonly SweResult[];
}

/** Computes the figures. `requested` is the number of instances requested. */
export function createReport(
  options: SweOptions,
  results: readonly SweResult[],
  requested: number,
): SweReport {
  const bySize = Map.groupBy(results, ({ size }) => size ?? '');
  bySize.delete('');
  return {
    benchmark: 'swe',
    options,
    node: process.version,
    cores: availableParallelism(),
    complete: results.length === requested,
    by_repository: summaries(Map.groupBy(results, ({ repo }) => repo)),
    by_size: summaries(bySize),
    total: summarise(results),
    instances: results,
  };
}

function summaries(groups: ReadonlyMap<string, readonly SweResult[]>): Record<string, SweSummary> {
  return Object.fromEntries([...groups].sort().map(([name, group]) => [name, summarise(group)]));
}

function summarise(results: readonly SweResult[]): SweSummary {
  const count = (is: (result: SweResult) => boolean): number => results.filter(is).length;
  const has = (outcome: SweOutcome): number => count((result) => result.outcome === outcome);
  const ran = results.filter(({ status }) => status !== null);
  return {
    instances: results.length,
    applied: count(({ applied }) => applied),
    resolved: has('resolved'),
    regressed: count(({ regressed }) => regressed.length > 0),
    verified: count(({ verified }) => verified),
    verified_resolved: count(({ verified, outcome }) => verified && outcome === 'resolved'),
    errors: has('error'),
    usage: sumUsage(results.map(({ usage }) => usage ?? NO_USAGE)),
    median_seconds: quantile(
      ran.map(({ seconds }) => seconds),
      0.5,
    ),
  };
}

/** One line for a finished instance. */
export function renderResult(result: SweResult): string {
  const { instance_id, outcome, verified, fixed, fail_to_pass, regressed, seconds, attempts, reason } =
    result;
  const claim = verified ? 'verified' : 'not verified';
  const tests = `${fixed}/${fail_to_pass} fixed, ${regressed.length} regressed`;
  const line = `${instance_id.padEnd(36)} ${outcome.padEnd(12)}  ${claim}  ${tests}  ${plural(attempts, 'attempt')}, ${seconds.toFixed(1)} s  ${reason}`;
  return line.replace(/\s*\n\s*/g, ' ').slice(0, 260);
}

const HEAD = [
  'instances of',
  'instances',
  'applied',
  'resolved',
  'share, 95 % interval',
  'regressed',
  'verified',
  'tokens',
  'cost',
  'median s',
];

/** A table by repository and size class, below two lines about the conditions. */
export function renderReport(report: SweReport): string[] {
  const { options, by_repository, by_size, total, node, cores, complete } = report;
  const rows = [...Object.entries(by_repository), ...Object.entries(by_size), ['total', total] as const];
  const flags = options.flags.length === 0 ? 'no more flags' : options.flags.join(' ');
  return [
    `SWE instances: \`ralph run\` with ${flags}; tests ${options.tests};`,
    `${options.budget_seconds} s an instance, ${options.jobs} at a time; node ${node}, ${cores} cores${complete ? '' : '; stopped early'}`,
    ...renderColumns([HEAD, ...rows.map(([name, summary]) => rowOf(name, summary))]),
    `verified results: ${renderPrecision(total.verified_resolved, total.verified)}, where right means resolved`,
    ...(total.errors > 0 ? [`${plural(total.errors, 'instance')} could not be tried.`] : []),
  ];
}

function rowOf(name: string, summary: SweSummary): string[] {
  const { instances, applied, resolved, regressed, verified, usage, median_seconds } = summary;
  return [
    name,
    String(instances),
    String(applied),
    String(resolved),
    renderInterval(resolved, instances),
    String(regressed),
    String(verified),
    String(usage.input_tokens + usage.output_tokens),
    usage.cost_usd === null ? 'unknown' : `$${usage.cost_usd.toFixed(2)}`,
    median_seconds.toFixed(1),
  ];
}
