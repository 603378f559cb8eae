import type { ChalkInstance } from 'chalk';
import type { LoopLimits } from '../../events.ts';
import type { Usage } from '../../schema/generated.ts';
import { renderBar } from './bar.ts';
import { widthOf } from './fit.ts';

/** Time and usage so far, with their limits. */
export interface Spent {
  /** Time since the loop was started or resumed. */
  readonly elapsedMs: number;
  readonly usage: Usage;
  readonly limits: LoopLimits;
}

/** Widths of a bar; the widest one that fits is used, 0 is no bar. */
const BARS = [8, 4, 0];
const NEARLY = 0.8;

interface Budget {
  readonly name: string;
  readonly text: string;
  /** Used share, above 1 if exceeded; undefined without a limit. */
  readonly share: number | undefined;
}

/** Renders time, cost and tokens with their limits in one row, with bars if they fit. Empty if nothing was used or limited. */
export function renderBudgets(spent: Spent, columns: number, chalk: ChalkInstance): string {
  const budgets = [timeOf(spent), costOf(spent), tokensOf(spent)].filter((it) => it !== undefined);
  const rows = BARS.map((bar) => budgets.map((budget) => renderBudget(budget, bar, chalk)).join('   '));
  return rows.find((row) => widthOf(row) <= columns) ?? rows.at(-1)!;
}

/** `1:12`, `1:02:05`. */
export function renderClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}

function renderBudget({ name, text, share }: Budget, columns: number, chalk: ChalkInstance): string {
  if (share === undefined) return `${chalk.dim(name)} ${text}`;
  const paint = share >= 1 ? chalk.red : share >= NEARLY ? chalk.yellow : chalk.cyan;
  const { full, rest } = renderBar(share, columns);
  const bar = columns === 0 ? [] : [paint(full) + chalk.dim(rest)];
  return [chalk.dim(name), ...bar, share >= NEARLY ? paint(text) : text].join(' ');
}

/** Only with a limit: the elapsed time is in the head row. */
function timeOf({ elapsedMs, limits: { maxTimeMs } }: Spent): Budget | undefined {
  if (maxTimeMs === undefined) return undefined;
  const text = `${renderClock(elapsedMs)}/${renderClock(maxTimeMs)}`;
  return { name: 'time', text, share: elapsedMs / maxTimeMs };
}

function costOf({ usage, limits: { maxCostUsd } }: Spent): Budget | undefined {
  const { cost_usd: cost, input_tokens, output_tokens } = usage;
  if (maxCostUsd === undefined && (cost === 0 || (cost === null && input_tokens + output_tokens === 0)))
    return undefined;
  const now = cost === null ? 'unknown' : `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
  if (maxCostUsd === undefined) return { name: 'cost', text: now, share: undefined };
  return { name: 'cost', text: `${now}/$${maxCostUsd}`, share: (cost ?? 0) / maxCostUsd };
}

function tokensOf({ usage, limits: { maxTokens } }: Spent): Budget | undefined {
  const used = usage.input_tokens + usage.output_tokens;
  if (maxTokens === undefined)
    return used === 0 ? undefined : { name: 'tokens', text: compact(used), share: undefined };
  return { name: 'tokens', text: `${compact(used)}/${compact(maxTokens)}`, share: used / maxTokens };
}

/** `840`, `6.9k`, `120k`, `1.2M`. */
function compact(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1e6, 'M'];
  return `${value < 9.95 && value % 1 !== 0 ? value.toFixed(1) : Math.round(value)}${unit}`;
}
