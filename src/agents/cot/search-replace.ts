import { withoutIndent } from './fences.ts';

/** The old and new text of a block, without a final line end. */
export interface SearchReplace {
  readonly oldText: string;
  readonly newText: string;
}

/** A complete block. */
export interface Block {
  /** One reading for each divider line, since the text itself may contain such a line. */
  readonly readings: readonly SearchReplace[];
  /** The text after the first marker, which may be a path; else empty. */
  readonly suffix: string;
  /** The index of the block's last line. */
  readonly end: number;
}

/** An incomplete block: the problem as a clause, and the index of its last line. */
export interface BrokenBlock {
  readonly problem: string;
  readonly end: number;
}

const SEARCH = /^([ \t]*)(<{5,9})\s*(?:SEARCH|ORIGINAL)\b:?\s*(.*)$/;
const DIVIDER = /^[ \t]*(={5,9})\s*$/;
const REPLACE = /^[ \t]*(>{5,9})\s*(?:REPLACE|UPDATED)\b/;

/** Whether a line is the first marker of a block. */
export function beginsBlock(line: string): boolean {
  return SEARCH.test(line);
}

/** Reads the block whose first marker is the line at `start`. Markers have 5 to 9 characters, not always the same number. */
export function readBlock(lines: readonly string[], start: number): Block | BrokenBlock {
  const [, indent, marks, suffix] = SEARCH.exec(lines[start]!)!;
  const next = lines.findIndex((line, at) => at > start && beginsBlock(line));
  const limit = next === -1 ? lines.length : next;
  const last = findMarker(lines, REPLACE, { from: start + 1, to: limit, size: marks!.length })[0];
  if (last === undefined) return { problem: 'has no REPLACE line', end: limit - 1 };
  const dividers = findMarker(lines, DIVIDER, { from: start + 1, to: last, size: marks!.length });
  if (dividers.length === 0) return { problem: 'has no ======= line', end: last };
  const part = (from: number, to: number): string => withoutIndent(lines.slice(from, to), indent!).join('\n');
  const readings = dividers.map((at) => ({ oldText: part(start + 1, at), newText: part(at + 1, last) }));
  return { readings, suffix: suffix!.trim(), end: last };
}

/** The indices of the lines with the marker: those of the first marker's size if there are any, else all. */
function findMarker(
  lines: readonly string[],
  marker: RegExp,
  { from, to, size }: { readonly from: number; readonly to: number; readonly size: number },
): number[] {
  const found = lines.slice(from, to).flatMap((line, index) => {
    const marks = marker.exec(line)?.[1];
    return marks === undefined ? [] : [{ at: from + index, size: marks.length }];
  });
  const same = found.filter((one) => one.size === size);
  return (same.length > 0 ? same : found).map(({ at }) => at);
}
