import { renderClock } from './budget-row.ts';
import { cut, widthOf } from './fit.ts';
import type { BlockStyle } from './row.ts';
import type { RunModel } from './run-model.ts';

const PHASES: Readonly<Record<RunModel['phase'], string>> = {
  starting: 'preparing',
  baseline: 'baseline',
  acting: 'acting',
  evaluating: 'evaluating',
  confirming: 'confirming',
  reflecting: 'reflecting',
  remembering: 'remembering',
  ended: 'ended',
};

const MAX_COLUMNS = 79;

/** Renders the first row: `── attempt 2 of 5 ── acting ───────────── 1:12 ──`. */
export function renderHead(model: RunModel, { chalk, columns, nowMs }: BlockStyle): string {
  const where = model.attempt === 0 ? [] : [`attempt ${model.attempt} of ${model.maxIterations}`];
  const title = [...where, PHASES[model.phase]].map((text) => chalk.bold(text)).join(chalk.dim(' ── '));
  const clock = renderClock(nowMs - model.startedMs);
  const rule = Math.min(MAX_COLUMNS, columns) - widthOf(title) - clock.length - 8;
  if (rule < 1) return cut(title, columns);
  return `${chalk.dim('──')} ${title} ${chalk.dim('─'.repeat(rule))} ${clock} ${chalk.dim('──')}`;
}

/** Renders the effect of Ctrl-C in the current state. */
export function renderHint({ maxIterations, stopping }: RunModel, { chalk, columns }: BlockStyle): string {
  const hint = stopping
    ? 'Stopping · Ctrl-C again stops at once'
    : maxIterations === 0
      ? 'Ctrl-C stops'
      : 'Ctrl-C stops and saves · twice stops at once';
  return chalk.dim(cut(`  ${hint}`, columns));
}
