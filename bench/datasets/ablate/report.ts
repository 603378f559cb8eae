import { availableParallelism } from 'node:os';
import { differenceOfShares } from '../../../src/memory/statistics/statistics.ts';
import type { Usage } from '../../../src/schema/generated.ts';
import { NO_USAGE, sumUsage } from '../../../src/schema/usage.ts';
import { quantile, renderColumns, renderInterval } from '../statistics.ts';
import type { Arm } from './arms.ts';
import type { ArmResult } from './run-arm.ts';

/** Options of the run. */
export interface AblateOptions {
  readonly file: string;
  readonly visible: 'example' | 'full';
  readonly common: readonly string[];
  readonly budget_seconds: number;
}

/** Figures of one arm. */
export interface ArmSummary extends Arm {
  readonly problems: number;
  readonly verified: number;
  /** Verified results that pass the judge's tests. */
  readonly right: number;
  /** Attempts of all problems. */
  readonly attempts: number;
  /** Problems that were right after at most 1, 2, … attempts. */
  readonly right_by_attempt: readonly number[];
  readonly usage: Usage;
  readonly median_seconds: number;
}

/** The report as it is written as JSON. */
export interface AblateReport {
  readonly benchmark: 'ablate';
  readonly options: AblateOptions;
  readonly node: string;
  readonly cores: number;
  /** False if the run was stopped, or its cost was spent, before every problem of every arm was tried. */
  readonly complete: boolean;
  readonly arms: readonly ArmSummary[];
  readonly results: readonly ArmResult[];
}

/** Computes the figures. `requested` is the number of runs requested. */
export function createReport(options: AblateOptions, { arms, results, requested }: Ablation): AblateReport {
  const most = Math.max(1, ...results.map(({ rewards }) => rewards.length));
  return {
    benchmark: 'ablate',
    options,
    node: process.version,
    cores: availableParallelism(),
    complete: results.length === requested,
    arms: arms.map((arm) =>
      summarise(
        arm,
        results.filter((result) => result.arm === arm.name),
        most,
      ),
    ),
    results,
  };
}

interface Ablation {
  readonly arms: readonly Arm[];
  readonly results: readonly ArmResult[];
  readonly requested: number;
}

function summarise(arm: Arm, results: readonly ArmResult[], most: number): ArmSummary {
  const right = results.filter((result) => result.right);
  return {
    ...arm,
    problems: results.length,
    verified: results.filter(({ verified }) => verified).length,
    right: right.length,
    attempts: results.reduce((sum, { rewards }) => sum + rewards.length, 0),
    right_by_attempt: Array.from(
      { length: most },
      (_, index) => right.filter(({ rewards }) => rewards.length <= index + 1).length,
    ),
    usage: sumUsage(results.map(({ usage }) => usage ?? NO_USAGE)),
    median_seconds: quantile(
      results.map(({ seconds }) => seconds),
      0.5,
    ),
  };
}

/** One line for a finished run. */
export function renderResult({ arm, task_id, verified, right, rewards, seconds, note }: ArmResult): string {
  const outcome = right ? 'right' : verified ? 'verified, wrong' : 'not verified';
  const line = `${arm.padEnd(34)} ${task_id.padEnd(15)} ${outcome.padEnd(15)} ${rewards.length} attempts, ${seconds.toFixed(1)} s  ${note}`;
  return line.replace(/\s*\n\s*/g, ' ').slice(0, 200);
}

const HEAD = [
  'arm',
  'problems',
  'right, 95 % interval',
  'against the first arm',
  'verified',
  'attempts',
  'tokens',
  'cost',
  'median s',
];

/** One row per arm, below two lines about the conditions. */
export function renderReport({ options, arms, node, cores, complete }: AblateReport): string[] {
  const flags = options.common.length === 0 ? 'no common flags' : options.common.join(' ');
  return [
    `Ablation: \`ralph run\` with ${flags}, ${options.budget_seconds} s a problem, ${options.visible} tests visible;`,
    `node ${node}, ${cores} cores${complete ? '' : '; stopped early'}`,
    ...renderColumns([HEAD, ...arms.map((arm) => rowOf(arm, arms[0]!))]),
  ];
}

function rowOf(arm: ArmSummary, first: ArmSummary): string[] {
  const { usage } = arm;
  return [
    arm.name,
    String(arm.problems),
    `${arm.right}: ${renderInterval(arm.right, arm.problems)}`,
    arm === first ? '-' : renderDifference(arm, first),
    String(arm.verified),
    String(arm.attempts),
    String(usage.input_tokens + usage.output_tokens),
    usage.cost_usd === null ? 'unknown' : `$${usage.cost_usd.toFixed(2)}`,
    arm.median_seconds.toFixed(1),
  ];
}

/** The difference of two shares in percentage points, with its 95 % interval for independent shares. */
export function renderDifference(arm: ArmSummary, first: ArmSummary): string {
  const [a, b] = [arm, first].map(({ right, problems }) => ({ part: right, whole: problems }));
  const interval = differenceOfShares(a!, b!);
  if (interval === null) return '-';
  const points = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)}`;
  const difference = a!.part / a!.whole - b!.part / b!.whole;
  return `${points(difference)} (${points(interval.low)} to ${points(interval.high)})`;
}
