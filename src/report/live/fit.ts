import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { Line } from '../screen.ts';

/** Text in fewer columns is not worth breaking. */
const LEAST_ROOM = 12;
const OUTDENT = 2;

/** Columns that a terminal shows a text in; colours take none. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** The text in exactly so many columns: cut with `…`, or filled with spaces. Tabs are spaces. */
export function fill(text: string, columns: number): string {
  const shown = cut(text, columns);
  return shown + ' '.repeat(Math.max(0, columns - widthOf(shown)));
}

/** At most so many columns; `keep` says which end is left where it is cut. */
export function cut(text: string, columns: number, keep: 'start' | 'end' = 'start'): string {
  if (columns <= 0) return '';
  const flat = text.replaceAll(/[\t\n]/g, ' ');
  return cliTruncate(flat, columns, { position: keep === 'start' ? 'end' : 'start' });
}

/** A line of the record for a terminal of so many columns. What has no space to break at is left to the terminal. */
export function fitLine(line: Line, columns: number): string {
  const { head, note, fit = 'wrap', rows = Infinity } = line;
  if (note !== undefined) return fitCommand({ ...line, note }, columns);
  const text = line.text.replaceAll('\t', ' ');
  const indent = widthOf(head);
  const room = columns - indent;
  if (widthOf(text) <= room) return `${head}${text}`.trimEnd();
  if (fit === 'tail') return head + cut(text, room, 'end');
  if (fit === 'cut' || room < LEAST_ROOM) return cut(head + text, columns);
  const lead = /^ */.exec(text)![0];
  const [first, ...below] = wrapInto(text.slice(lead.length), { columns: room - lead.length, rows });
  // A word that is wider than the room has more of it further left.
  const indented = below.map((row) => ' '.repeat(widthOf(row) > room ? OUTDENT : indent) + lead + row);
  return [head + lead + first!, ...indented].join('\n');
}

/** Rows of at most so many columns, where there are words to break between; the last one is cut where more follow. */
export function wrapInto(text: string, { columns, rows }: { columns: number; rows: number }): string[] {
  const all = wrapAnsi(text, columns, { hard: false, trim: true }).split('\n');
  if (all.length <= rows) return all;
  const rest = all.slice(rows - 1).join(' ');
  return [...all.slice(0, rows - 1), cut(rest, columns)];
}

/** A command stays in one piece, so that it can be copied. */
function fitCommand({ head, text, note }: Line & { readonly note: string }, columns: number): string {
  const oneRow = [text, text.trimEnd()].map((command) => `${head}${command}  ${note}`);
  return (
    oneRow.find((row) => widthOf(row) <= columns) ??
    `${head}${note}:\n${' '.repeat(OUTDENT)}${text.trimEnd()}`
  );
}
