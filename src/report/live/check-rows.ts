import type { ChalkInstance } from 'chalk';
import { plural } from '../../platform/text/plural.ts';
import { renderBar } from './bar.ts';
import { fill, widthOf } from './fit.ts';
import type { LiveCheck } from './run-model.ts';

/** Style of the check rows. */
export interface RowStyle {
  readonly columns: number;
  readonly chalk: ChalkInstance;
  /** Current frame of the spinner. */
  readonly frame: string;
}

const MAX_ROWS = 6;
const MAX_NAME_COLUMNS = 14;
const MAX_BAR_COLUMNS = 40;
const MIN_BAR_COLUMNS = 6;
const WEIGHT_COLUMNS = 6;
/** Minimum width at which the weights are shown. */
const MIN_COLUMNS_FOR_WEIGHTS = 50;

/** Renders one row per check: status, name, bar, result and weight. */
export function renderChecks(checks: readonly LiveCheck[], style: RowStyle): string[] {
  const shown = checks.slice(0, MAX_ROWS);
  const names = Math.min(MAX_NAME_COLUMNS, Math.max(0, ...shown.map(({ name }) => widthOf(name))));
  const counts = Math.max(0, ...shown.map((check) => renderCheckResult(check).length));
  const weights = style.columns >= MIN_COLUMNS_FOR_WEIGHTS ? WEIGHT_COLUMNS : 0;
  const bar = Math.min(MAX_BAR_COLUMNS, style.columns - names - counts - weights - 6);
  const rows = shown.map((check) => renderRow(check, style, { names, counts, weights, bar }));
  const hidden = checks.length - shown.length;
  return hidden > 0 ? [...rows, style.chalk.dim(`  and ${plural(hidden, 'more check')}`)] : rows;
}

interface Columns {
  readonly names: number;
  readonly counts: number;
  readonly weights: number;
  readonly bar: number;
}

function renderRow(check: LiveCheck, style: RowStyle, { names, counts, weights, bar }: Columns): string {
  const { chalk } = style;
  const paint = paintOf(check, chalk);
  const parts = [markOf(check, style), fill(check.name, names)];
  if (bar >= MIN_BAR_COLUMNS) {
    const { full, rest } = renderBar(shareOf(check), bar);
    parts.push(paint(full) + chalk.dim(rest));
  }
  parts.push(paint(renderCheckResult(check).padEnd(counts)));
  if (weights > 0 && check.weight !== undefined) parts.push(chalk.dim(`×${check.weight.toFixed(2)}`));
  return parts.join(' ');
}

function markOf({ running, result }: LiveCheck, { chalk, frame }: RowStyle): string {
  if (running) return chalk.cyan(frame);
  if (result === undefined || result.status === 'skip') return chalk.dim('○');
  return result.status === 'pass' ? chalk.green('✔') : chalk.red('✖');
}

/** The previous result is dimmed while the check runs again. */
function paintOf({ running, result }: LiveCheck, chalk: ChalkInstance): (text: string) => string {
  if (running || result === undefined || result.status === 'skip') return chalk.dim;
  return result.status === 'pass' ? chalk.green : chalk.red;
}

/** Share of passed tests; for a check that counts errors, the share of its maximum that is gone. */
function shareOf({ result, maxErrors }: LiveCheck): number {
  if (result === undefined || result.status === 'error' || result.status === 'skip') return 0;
  if (result.status === 'pass') return 1;
  if (result.total > 0) return result.passed / result.total;
  return maxErrors === 0 ? 0 : 1 - result.errors / maxErrors;
}

function renderCheckResult({ running, result }: LiveCheck): string {
  if (result === undefined) return running ? 'running' : '';
  if (result.status === 'error') return 'could not run';
  if (result.status === 'skip') return 'skipped';
  if (result.total > 0) return `${result.passed}/${result.total}`;
  if (result.status === 'pass') return 'ok';
  return plural(result.errors, 'error');
}
