import type { ChalkInstance } from 'chalk';
import { renderBar } from './bar.ts';
import { fill, widthOf } from './fit.ts';
import type { LiveCheck } from './run-model.ts';

export interface RowStyle {
  readonly columns: number;
  readonly chalk: ChalkInstance;
  /** One of `SPINNER`. */
  readonly frame: string;
}

const MOST_ROWS = 6;
const LONGEST_NAME = 14;
const LONGEST_BAR = 40;
const SHORTEST_BAR = 6;
const WEIGHT_COLUMNS = 6;
/** Below, the weights are left out. */
const ROOM_FOR_WEIGHTS = 50;

/** One row a check: how it stands, its bar, what it counted, and its share of the reward. */
export function renderChecks(checks: readonly LiveCheck[], style: RowStyle): string[] {
  const shown = checks.slice(0, MOST_ROWS);
  const names = Math.min(LONGEST_NAME, Math.max(0, ...shown.map(({ name }) => widthOf(name))));
  const counts = Math.max(0, ...shown.map((check) => countOf(check).length));
  const weights = style.columns >= ROOM_FOR_WEIGHTS ? WEIGHT_COLUMNS : 0;
  const bar = Math.min(LONGEST_BAR, style.columns - names - counts - weights - 6);
  const rows = shown.map((check) => renderRow(check, style, { names, counts, weights, bar }));
  const hidden = checks.length - shown.length;
  return hidden > 0 ? [...rows, style.chalk.dim(`  and ${hidden} more checks`)] : rows;
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
  if (bar >= SHORTEST_BAR) {
    const { full, rest } = renderBar(shareOf(check), bar);
    parts.push(paint(full) + chalk.dim(rest));
  }
  parts.push(paint(countOf(check).padEnd(counts)));
  if (weights > 0 && check.weight !== undefined) parts.push(chalk.dim(`×${check.weight.toFixed(2)}`));
  return parts.join(' ');
}

function markOf({ running, result }: LiveCheck, { chalk, frame }: RowStyle): string {
  if (running) return chalk.cyan(frame);
  if (result === undefined || result.status === 'skip') return chalk.dim('○');
  return result.status === 'pass' ? chalk.green('✔') : chalk.red('✖');
}

/** What it gave before is pale while it runs again. */
function paintOf({ running, result }: LiveCheck, chalk: ChalkInstance): (text: string) => string {
  if (running || result === undefined || result.status === 'skip') return chalk.dim;
  return result.status === 'pass' ? chalk.green : chalk.red;
}

/** Tests that pass; of errors, those that are gone of the most that there were. */
function shareOf({ result, mostErrors }: LiveCheck): number {
  if (result === undefined || result.status === 'error' || result.status === 'skip') return 0;
  if (result.status === 'pass') return 1;
  if (result.total > 0) return result.passed / result.total;
  return mostErrors === 0 ? 0 : 1 - result.errors / mostErrors;
}

function countOf({ running, result }: LiveCheck): string {
  if (result === undefined) return running ? 'running' : '';
  if (result.status === 'error') return 'could not run';
  if (result.status === 'skip') return 'skipped';
  if (result.total > 0) return `${result.passed}/${result.total}`;
  if (result.status === 'pass') return 'ok';
  return result.errors === 1 ? '1 error' : `${result.errors} errors`;
}
