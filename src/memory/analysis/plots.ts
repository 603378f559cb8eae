import cliTruncate from 'cli-truncate';

/** What a plot is drawn with: blocks in a terminal, plain characters where the text goes elsewhere. */
export type PlotStyle = 'blocks' | 'plain';

const BLOCKS = '▁▂▃▄▅▆▇█';
const EIGHTHS = ' ▏▎▍▌▋▊▉█';
const LEAST_ID = 8;

/** A bar for a share (0..1; what lies outside is drawn at its end), exactly `width` columns wide. */
export function renderBar(share: number, width: number, style: PlotStyle): string {
  const within = Math.min(1, Math.max(0, share));
  if (style === 'plain') return '#'.repeat(Math.round(within * width)).padEnd(width, '.');
  const eighths = Math.round(within * width * 8);
  const rest = eighths % 8 === 0 ? '' : EIGHTHS[eighths % 8]!;
  return ('█'.repeat(Math.floor(eighths / 8)) + rest).padEnd(width, ' ');
}

/** One character for each value (0..1): a block as high as it, or a digit, tenths of it (9 for 1 as well). */
export function renderSparkline(values: readonly number[], style: PlotStyle): string {
  const scale = style === 'blocks' ? BLOCKS : '0123456789';
  return values
    .map(
      (value) =>
        scale[Math.min(scale.length - 1, Math.floor(Math.min(1, Math.max(0, value)) * scale.length))]!,
    )
    .join('');
}

/** A line in at most `width` columns, with an ellipsis where it was cut. */
export function fitLine(line: string, width: number): string {
  return cliTruncate(line, Math.max(0, width));
}

/** An id in at most `width` columns (not fewer than 8), cut in its middle: what tells ids apart is their end. */
export function fitId(id: string, width: number): string {
  return cliTruncate(id, Math.max(LEAST_ID, width), { position: 'middle' });
}
