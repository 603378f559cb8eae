import { renderBudgets, renderClock } from './budget-row.ts';
import { cut, widthOf, wrapInto } from './fit.ts';
import { LABEL_COLUMNS, labelled, type BlockStyle, type Row } from './row.ts';
import type { RunModel } from './run-model.ts';

const LESSON_ROWS = 2;

/** Renders time, cost and tokens; no row if nothing was used or limited. */
export function budgetRow(model: RunModel, { chalk, columns, nowMs }: BlockStyle): Row[] {
  const { limits, startedMs, usage } = model;
  const row = renderBudgets({ elapsedMs: nowMs - startedMs, usage, limits }, columns - LABEL_COLUMNS, chalk);
  return row === '' ? [] : [{ text: labelled('budget', row, chalk), worth: 4 }];
}

/** Renders the current activity and the duration of the phase. */
export function nowRow(model: RunModel, { chalk, columns, nowMs }: BlockStyle): Row {
  const { activity, phaseSinceMs } = model;
  const time = renderClock(nowMs - phaseSinceMs);
  const room = columns - LABEL_COLUMNS - time.length - 2;
  const text = activity.text === '' ? waitingFor(model) : activity.text;
  const shown = cut(text, room, activity.streams ? 'end' : 'start');
  return { text: labelled('now', `${shown}  ${chalk.dim(time)}`, chalk), worth: 8 };
}

/** Renders the first failed test of the running evaluation; no row while none is known. */
export function failingRow({ failing }: RunModel, { chalk, columns }: BlockStyle): Row[] {
  if (failing === undefined) return [];
  const { test, file, message } = failing;
  const place = file === undefined ? '' : ` (${file})`;
  const text = cut(`${test}${place}: ${message}`, columns - LABEL_COLUMNS);
  return [{ text: labelled('fails', chalk.red(text), chalk), worth: 7 }];
}

function waitingFor(model: RunModel): string {
  const running = model.checks.filter(({ running }) => running).map(({ name }) => name);
  const waits = running.length === 0 ? '' : `waiting for ${running.join(', ')}`;
  switch (model.phase) {
    case 'starting':
      return 'preparing the workspace';
    case 'baseline':
      return waits === '' ? 'running every check on the base' : waits;
    case 'acting':
      return 'starting the actor';
    case 'evaluating':
      return waits === '' ? 'evaluating' : waits;
    case 'confirming':
      return 'running everything again without caches, then the test command';
    case 'reflecting':
      return model.attempt === 0 ? 'preparing the first attempt' : `reflecting on attempt ${model.attempt}`;
    default:
      return 'updating memory';
  }
}

/** Renders the lesson that the attempt follows in at most two rows. */
export function followingRows({ following, phase }: RunModel, { chalk, columns }: BlockStyle): Row[] {
  if (following === undefined || phase === 'baseline') return [];
  const { attempt, text, more } = following;
  const source = attempt === undefined ? 'of an earlier loop' : `of attempt ${attempt}`;
  const note = chalk.dim(`(${source}${more > 0 ? `, and ${more} more` : ''})`);
  const room = columns - LABEL_COLUMNS;
  const rows = wrapInto(text.split('\n', 1)[0]!, { columns: room, rows: LESSON_ROWS });
  const last = `${rows.at(-1)!} ${note}`;
  const fits = widthOf(last) <= room;
  const shown = fits ? [...rows.slice(0, -1), last] : [...rows, note].slice(0, LESSON_ROWS);
  return shown.map((row, index) => ({
    text: labelled(index === 0 ? 'lesson' : '', row, chalk),
    worth: index === 0 ? 3 : 2,
  }));
}
