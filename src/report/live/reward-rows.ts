import type { ChalkInstance } from 'chalk';
import { newest, renderCurve } from '../curve.ts';
import { fill, widthOf } from './fit.ts';
import { LABEL_COLUMNS, labelled, type BlockStyle, type Row } from './row.ts';
import type { RunModel } from './run-model.ts';

const MAX_CURVE_COLUMNS = 30;
const PANEL_ROWS = 3;
/** Columns per attempt in the panel: two blocks and a gap. */
const POINT_COLUMNS = 3;
const SCALE_COLUMNS = 8;

/** Renders `reward ▁▆▇ 0.946 ▲ +0.607 best: attempt 2`; empty before the first reward. */
export function rewardRow(model: RunModel, { chalk, columns }: BlockStyle): Row[] {
  const { rewards } = model;
  if (rewards.length === 0) return [];
  const best = renderBest(model, chalk);
  const room = Math.min(MAX_CURVE_COLUMNS, columns - LABEL_COLUMNS - widthOf(best) - 1);
  const curve = room < 3 ? '' : `${chalk.cyan(renderCurve(rewards, { columns: room, rows: 1 })[0]!)} `;
  return [{ text: labelled('reward', curve + best, chalk), worth: 6 }];
}

/** Renders the curve as a panel of several rows with a scale, and the best reward below it. */
export function renderCurvePanel(model: RunModel, { chalk, columns }: BlockStyle): string[] {
  const { rewards } = model;
  const points = newest(rewards, Math.max(2, Math.floor((columns - SCALE_COLUMNS) / POINT_COLUMNS)));
  const curve = renderCurve(points, { columns: points.length, rows: PANEL_ROWS });
  const lowest = Math.min(...rewards);
  const scale = [lowest < 1 ? '1.000' : '', '', lowest.toFixed(3)];
  const rows = curve.map((row, index) => {
    const wide = [...row].map((block) => `${block}${block} `).join('');
    return `${chalk.dim(`${scale[index]!.padStart(5)} │`)} ${chalk.cyan(wide)}`.trimEnd();
  });
  return [...rows, `${chalk.dim('reward')}  ${renderBest(model, chalk)}`];
}

/** Joins rows, padded to `columns`, with the panel to their right. */
export function beside(rows: readonly Row[], panel: readonly string[], columns: number): Row[] {
  return Array.from({ length: Math.max(rows.length, panel.length) }, (_, index) => {
    const { text, worth } = rows[index] ?? { text: '', worth: 0 };
    const right = panel[index] ?? '';
    return { text: right === '' ? text : fill(text, columns) + right, worth: Math.max(worth, 5) };
  });
}

function renderBest({ rewards, best }: RunModel, chalk: ChalkInstance): string {
  const value = chalk.bold(rewards[best]!.toFixed(3));
  if (rewards.length === 1) return `${value} ${chalk.dim('at the start')}`;
  if (best === 0) return `${value} ${chalk.dim('no attempt is better than the start')}`;
  const gain = rewards[best]! - rewards[0]!;
  const change = gain < 0.0005 ? '=' : `▲ +${gain.toFixed(3)}`;
  return `${value} ${chalk.green(change)} ${chalk.dim(`best: attempt ${best}`)}`;
}
