import { withoutIndent } from './fences.ts';

/** A change as a block of an answer has it; both texts without a line end at their end. */
export interface SearchReplace {
  readonly oldText: string;
  readonly newText: string;
}

/** A block between its markers. */
export interface Block {
  /** One for each way to divide it: the text itself may have a line like the divider. */
  readonly readings: readonly SearchReplace[];
  /** A path behind the first marker, where one stands there. */
  readonly suffix: string;
  /** Index of its last line. */
  readonly end: number;
}

/** A block that is not whole: why, and the index of the last line of what there is of it. */
export interface BrokenBlock {
  readonly problem: string;
  readonly end: number;
}

const SEARCH = /^([ \t]*)(<{5,9})\s*(?:SEARCH|ORIGINAL)\b:?\s*(.*)$/;
const DIVIDER = /^[ \t]*(={5,9})\s*$/;
const REPLACE = /^[ \t]*(>{5,9})\s*(?:REPLACE|UPDATED)\b/;

/** Whether a line begins a block. */
export function beginsBlock(line: string): boolean {
  return SEARCH.test(line);
}

/** The block whose first marker is the line at `start`. Markers have 5 to 9 signs; those of one block may differ. */
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

/** Lines with the marker in the size of the block's first one; in any size where there is none. */
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
