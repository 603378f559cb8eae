const LEVELS = '▁▂▃▄▅▆▇█';

/**
 * Rewards as columns of blocks, `rows` high, one column each; the lowest of them stands on the floor and 1 reaches
 * the top. Where there are more than `columns`, the first is left in front of the newest ones.
 */
export function renderCurve(
  rewards: readonly number[],
  { columns, rows }: { columns: number; rows: number },
): string[] {
  const shown = newest(rewards, columns);
  const floor = Math.min(1, ...rewards);
  const heights = shown.map((reward) => heightOf(reward, floor, rows * LEVELS.length));
  return Array.from({ length: rows }, (_, row) => {
    const below = (rows - 1 - row) * LEVELS.length;
    return heights.map((height) => blockOf(height - below)).join('');
  });
}

/** The values that a curve of so many columns shows. */
export function newest<T>(values: readonly T[], columns: number): readonly T[] {
  return values.length <= columns ? values : [values[0]!, ...values.slice(1 - columns)];
}

/** In eighths of a row, 1 at least. */
function heightOf(reward: number, floor: number, most: number): number {
  return floor >= 1 ? most : 1 + Math.floor(((reward - floor) / (1 - floor)) * (most - 1));
}

function blockOf(eighths: number): string {
  if (eighths <= 0) return ' ';
  return LEVELS[Math.min(LEVELS.length, eighths) - 1]!;
}
