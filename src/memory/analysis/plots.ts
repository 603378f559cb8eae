import cliTruncate from 'cli-truncate';

/** Characters of a plot: Unicode blocks for a terminal, ASCII for other output. */
export type PlotStyle = 'blocks' | 'plain';

const BLOCKS = '▁▂▃▄▅▆▇█';
const EIGHTHS = ' ▏▎▍▌▋▊▉█';
const LEAST_ID = 8;

/** A bar for a share (clamped to 0..1), exactly `width` columns wide. */
export function renderBar(share: number, width: number, style: PlotStyle): string {
  const within = Math.min(1, Math.max(0, share));
  if (style === 'plain') return '#'.repeat(Math.round(within * width)).padEnd(width, '.');
  const eighths = Math.round(within * width * 8);
  const rest = eighths % 8 === 0 ? '' : EIGHTHS[eighths % 8]!;
  return ('█'.repeat(Math.floor(eighths / 8)) + rest).padEnd(width, ' ');
}

/** One character per value (clamped to 0..1): a block of that height, or the tenths as a digit (9 for 1). */
export function renderSparkline(values: readonly number[], style: PlotStyle): string {
  const scale = style === 'blocks' ? BLOCKS : '0123456789';
  return values
    .map(
      (value) =>
        scale[Math.min(scale.length - 1, Math.floor(Math.min(1, Math.max(0, value)) * scale.length))]!,
    )
    .join('');
}

/** A line cut to `width` columns, with an ellipsis at the cut. */
export function fitLine(line: string, width: number): string {
  return cliTruncate(line, Math.max(0, width));
}

/** An id cut in the middle to `width` columns (at least 8), since ids differ at their end. */
export function fitId(id: string, width: number): string {
  return cliTruncate(id, Math.max(LEAST_ID, width), { position: 'middle' });
}
