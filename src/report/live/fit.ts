import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { Line } from '../screen.ts';

/** Minimum columns for wrapped text. */
const MIN_COLUMNS = 12;
const OUTDENT = 2;

/** Width of a text in terminal columns, without colour codes. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Cuts a text with `…` or pads it with spaces to exactly `columns`. Tabs become spaces. */
export function fill(text: string, columns: number): string {
  const shown = cut(text, columns);
  return shown + ' '.repeat(Math.max(0, columns - widthOf(shown)));
}

/** Cuts a text to at most `columns`; `keep`: the end of the text that is kept. */
export function cut(text: string, columns: number, keep: 'start' | 'end' = 'start'): string {
  if (columns <= 0) return '';
  const flat = text.replaceAll(/[\t\n]/g, ' ');
  return cliTruncate(flat, columns, { position: keep === 'start' ? 'end' : 'start' });
}

/** Fits a line into a terminal of `columns`. Words wider than the terminal are wrapped by the terminal. */
export function fitLine(line: Line, columns: number): string {
  const { head, note, fit = 'wrap', rows = Infinity } = line;
  if (note !== undefined) return fitCommand({ ...line, note }, columns);
  const text = line.text.replaceAll('\t', ' ');
  const indent = widthOf(head);
  const room = columns - indent;
  if (widthOf(text) <= room) return `${head}${text}`.trimEnd();
  if (fit === 'tail') return head + cut(text, room, 'end');
  if (fit === 'cut' || room < MIN_COLUMNS) return cut(head + text, columns);
  const lead = /^ */.exec(text)![0];
  const [first, ...below] = wrapInto(text.slice(lead.length), { columns: room - lead.length, rows });
  // A word that does not fit gets a smaller indent.
  const indented = below.map((row) => ' '.repeat(widthOf(row) > room ? OUTDENT : indent) + lead + row);
  return [head + lead + first!, ...indented].join('\n');
}

/** Wraps a text between words into at most `rows` rows of `columns`; the last row is cut if text remains. */
export function wrapInto(text: string, { columns, rows }: { columns: number; rows: number }): string[] {
  const all = wrapAnsi(text, columns, { hard: false, trim: true }).split('\n');
  if (all.length <= rows) return all;
  const rest = all.slice(rows - 1).join(' ');
  return [...all.slice(0, rows - 1), cut(rest, columns)];
}

/** A command is never wrapped, so that it can be copied. */
function fitCommand({ head, text, note }: Line & { readonly note: string }, columns: number): string {
  const oneRow = [text, text.trimEnd()].map((command) => `${head}${command}  ${note}`);
  return (
    oneRow.find((row) => widthOf(row) <= columns) ??
    `${head}${note}:\n${' '.repeat(OUTDENT)}${text.trimEnd()}`
  );
}
