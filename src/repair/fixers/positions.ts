import type { Position, Range, TextEdit } from 'vscode-languageserver-types';

/** The UTF-16 offset of a position, both parts 0-based; the end of the text for positions beyond it. */
export function offsetAt(text: string, { line, character }: Position): number {
  const start = lineStarts(text)[line];
  return start === undefined ? text.length : Math.min(text.length, start + character);
}

/** The range of `length` UTF-16 units from an offset on. */
export function rangeOf(text: string, start: number, length: number): Range {
  const starts = lineStarts(text);
  return { start: positionAt(starts, start), end: positionAt(starts, start + length) };
}

/** The text with edits applied. They do not overlap; insertions at one place keep their order. */
export function withTextEdits(text: string, edits: readonly TextEdit[]): string {
  const placed = edits.map(({ range, newText }) => ({
    start: offsetAt(text, range.start),
    end: offsetAt(text, range.end),
    newText,
  }));
  let result = '';
  let at = 0;
  for (const { start, end, newText } of placed.sort((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + newText;
    at = end;
  }
  return result + text.slice(at);
}

/** Offsets of line starts. Line ends are those of the Language Server Protocol: `\n`, `\r\n` or `\r`. */
function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ 0: end, index }) => index + end.length)];
}

function positionAt(starts: readonly number[], offset: number): Position {
  const line = starts.findLastIndex((start) => start <= offset);
  return { line, character: offset - starts[line]! };
}
