const LEVELS = '▁▂▃▄▅▆▇█';

/**
 * Draws rewards (0..1) as block characters, one column each, `rows` high: the lowest reward is at the bottom, 1 at the
 * top. If there are more rewards than `columns`, the first one and the newest ones are shown.
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

/** The values that fit into `columns`: the first one and the newest ones. */
export function newest<T>(values: readonly T[], columns: number): readonly T[] {
  return values.length <= columns ? values : [values[0]!, ...values.slice(1 - columns)];
}

/** Height in eighths of a row, at least 1. */
function heightOf(reward: number, floor: number, max: number): number {
  return floor >= 1 ? max : 1 + Math.floor(((reward - floor) / (1 - floor)) * (max - 1));
}

function blockOf(eighths: number): string {
  if (eighths <= 0) return ' ';
  return LEVELS[Math.min(LEVELS.length, eighths) - 1]!;
}
