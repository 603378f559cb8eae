import type { ChalkInstance } from 'chalk';
import { renderChecks } from './check-rows.ts';
import { cut, widthOf } from './fit.ts';
import { renderHead, renderHint } from './head-row.ts';
import { beside, renderCurvePanel, rewardRow } from './reward-rows.ts';
import type { BlockStyle, Row } from './row.ts';
import type { RunModel } from './run-model.ts';
import { budgetRow, failingRow, followingRows, nowRow } from './work-rows.ts';

/** A terminal and the current time. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  readonly chalk: ChalkInstance;
  /** Milliseconds of the model's clock. */
  readonly nowMs: number;
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Wider lines are harder to read, and leave more remains when a terminal becomes narrower. */
const MAX_COLUMNS = 120;
/** Minimum size of a terminal for the curve beside the rows. */
const PANEL_SIZE = { columns: 110, rows: 13 };
/** Maximum columns of the rows beside the curve, and the gap. */
const LEFT_COLUMNS = 76;
const GAP = 4;
/** Preparation and memory updates that are shorter are not shown. */
const MIN_SHOWN_MS = 400;

/** Renders the current state of a run: lines narrower than the terminal, fewer than its rows. */
export function renderBlock(
  model: RunModel,
  { columns: wide, rows: high, chalk, nowMs }: Terminal,
): string[] {
  const columns = Math.min(MAX_COLUMNS, wide - 1);
  const style = { chalk, columns, nowMs };
  const frame = SPINNER[Math.floor(nowMs / FRAME_MS) % SPINNER.length]!;
  const isBrief = nowMs - model.phaseSinceMs < MIN_SHOWN_MS;
  if (isBrief && (model.phase === 'starting' || model.phase === 'ended')) return [];
  if (model.phase === 'ended') return [`${chalk.cyan(frame)} updating memory`];
  const hasPanel = wide >= PANEL_SIZE.columns && high >= PANEL_SIZE.rows && model.rewards.length > 0;
  const rows: Row[] = [
    { text: renderHead(model, style), worth: 9 },
    ...(hasPanel ? rowsWithPanel(model, style, frame) : rowsOnly(model, style, frame)),
    nowRow(model, style),
    ...failingRow(model, style),
    ...followingRows(model, style),
    { text: renderHint(model, style), worth: 1 },
  ];
  return mostImportant(rows, high - 1).map(({ text }) =>
    widthOf(text) > columns ? cut(text, columns) : text,
  );
}

function rowsOnly(model: RunModel, style: BlockStyle, frame: string): Row[] {
  return [...checkRows(model, style, frame), ...rewardRow(model, style), ...budgetRow(model, style)];
}

function rowsWithPanel(model: RunModel, style: BlockStyle, frame: string): Row[] {
  const left = { ...style, columns: LEFT_COLUMNS };
  const rows = [...checkRows(model, left, frame), ...budgetRow(model, left)];
  const taken = Math.max(0, ...rows.map(({ text }) => widthOf(text))) + GAP;
  const panel = renderCurvePanel(model, { ...style, columns: style.columns - taken });
  return beside(rows, panel, taken);
}

function checkRows({ checks }: RunModel, { chalk, columns }: BlockStyle, frame: string): Row[] {
  return renderChecks(checks, { columns, chalk, frame }).map((text) => ({ text, worth: 5 }));
}

function mostImportant(rows: readonly Row[], max: number): readonly Row[] {
  const kept = new Set([...rows].sort((a, b) => b.worth - a.worth).slice(0, Math.max(1, max)));
  return rows.filter((row) => kept.has(row));
}
