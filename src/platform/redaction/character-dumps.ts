import { findInBytes, type DumpedByte } from './dumped-bytes.ts';
import type { Span } from './spans.ts';

/** An offset, and each byte in four columns: a character, an escape or three octal digits. */
const LINE = /^[0-7]{7}((?: {3}[ -~]| {2}\\.| [0-7]{3})+)$/gm;
const CELL = 4;
const ESCAPES: Readonly<Record<string, number>> = { 0: 0, a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Secrets in dumps of bytes as `od -c` and `od -b` print them, over several lines. */
export function findInCharacterDumps(text: string, secrets: readonly Buffer[]): Span[] {
  if (secrets.length === 0) return [];
  const bytes = [...text.matchAll(LINE)].flatMap(({ 0: whole, 1: cells = '', index: line }) => {
    const start = line + whole.length - cells.length;
    const count = cells.length / CELL;
    return Array.from({ length: count }, (_, at): DumpedByte => {
      const cell = cells.slice(at * CELL, (at + 1) * CELL);
      const written = cell.trimStart();
      const length = Math.max(1, written.length);
      return { value: valueOf(cell), at: start + (at + 1) * CELL - length, length, line, shownAt: undefined };
    });
  });
  return findInBytes(bytes, secrets);
}

function valueOf(cell: string): number {
  if (/^ [0-7]{3}$/.test(cell)) return Number.parseInt(cell, 8) & 0xff;
  return cell.startsWith('  \\') ? (ESCAPES[cell[3]!] ?? 0) : cell.charCodeAt(3);
}
