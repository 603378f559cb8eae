import { wilson } from '../../src/memory/statistics/statistics.ts';

/** The quantile of the values for a share of 0..1, by nearest rank; 0 for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** A share as `37.5%`; `-` if `whole` is 0. */
export function renderShare(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`;
}

/** A share with its 95 % score interval: `37.5% (13.7–69.4)`; `-` if `whole` is 0. */
export function renderInterval(part: number, whole: number): string {
  const interval = wilson(part, whole);
  if (interval === null) return '-';
  const [low, high] = [interval.low, interval.high].map((share) => (100 * share).toFixed(1));
  return `${renderShare(part, whole)} (${low}–${high})`;
}

/** Rows as lines of aligned columns, two spaces apart: the first column to the left, the others to the right. */
export function renderColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  '),
  );
}
