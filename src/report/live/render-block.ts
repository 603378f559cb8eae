import type { ChalkInstance } from 'chalk';
import { renderChecks } from './check-rows.ts';
import { cut, widthOf } from './fit.ts';
import { renderHead, renderHint } from './head-row.ts';
import { beside, renderCurvePanel, rewardRow } from './reward-rows.ts';
import type { BlockStyle, Row } from './row.ts';
import type { RunModel } from './run-model.ts';
import { budgetRow, followingRows, nowRow } from './work-rows.ts';

export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  readonly chalk: ChalkInstance;
  /** Milliseconds of the model's clock. */
  readonly nowMs: number;
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Wider lines are no easier to read, and leave more behind where a terminal becomes narrower at once. */
const WIDEST = 120;
/** From here on the curve stands beside the rows. */
const ROOM_FOR_PANEL = { columns: 110, rows: 13 };
/** Most columns of the rows that it stands beside, and the gap. */
const BESIDE = 76;
const GAP = 4;
/** What comes before and after the loop is not worth a line where it ends sooner. */
const SOON_MS = 400;

/** The run as it goes: lines narrower than the terminal, and fewer than its rows. */
export function renderBlock(
  model: RunModel,
  { columns: wide, rows: high, chalk, nowMs }: Terminal,
): string[] {
  const columns = Math.min(WIDEST, wide - 1);
  const style = { chalk, columns, nowMs };
  const frame = SPINNER[Math.floor(nowMs / FRAME_MS) % SPINNER.length]!;
  const isBrief = nowMs - model.phaseSinceMs < SOON_MS;
  if (isBrief && (model.phase === 'starting' || model.phase === 'ended')) return [];
  if (model.phase === 'ended') return [`${chalk.cyan(frame)} bringing memory up to date`];
  const hasPanel = wide >= ROOM_FOR_PANEL.columns && high >= ROOM_FOR_PANEL.rows && model.rewards.length > 0;
  const rows: Row[] = [
    { text: renderHead(model, style), worth: 9 },
    ...(hasPanel ? withPanel(model, style, frame) : standing(model, style, frame)),
    nowRow(model, style),
    ...followingRows(model, style),
    { text: renderHint(model, style), worth: 1 },
  ];
  return fewest(rows, high - 1).map(({ text }) => (widthOf(text) > columns ? cut(text, columns) : text));
}

function standing(model: RunModel, style: BlockStyle, frame: string): Row[] {
  return [...checkRows(model, style, frame), ...rewardRow(model, style), ...budgetRow(model, style)];
}

function withPanel(model: RunModel, style: BlockStyle, frame: string): Row[] {
  const left = { ...style, columns: BESIDE };
  const rows = [...checkRows(model, left, frame), ...budgetRow(model, left)];
  const taken = Math.max(0, ...rows.map(({ text }) => widthOf(text))) + GAP;
  const panel = renderCurvePanel(model, { ...style, columns: style.columns - taken });
  return beside(rows, panel, taken);
}

function checkRows({ checks }: RunModel, { chalk, columns }: BlockStyle, frame: string): Row[] {
  return renderChecks(checks, { columns, chalk, frame }).map((text) => ({ text, worth: 5 }));
}

function fewest(rows: readonly Row[], most: number): readonly Row[] {
  const kept = new Set([...rows].sort((a, b) => b.worth - a.worth).slice(0, Math.max(1, most)));
  return rows.filter((row) => kept.has(row));
}
