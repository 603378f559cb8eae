import type { QueueFigures } from './queue.ts';

const WIDTH = 640;
const HEIGHT = 300;
const LEFT = 60;
const RIGHT = 30;
const TOP = 40;
const BOTTOM = 50;
/** Lines that are drawn, with a colour that is readable on white and on black. */
const LINES = [
  { name: 'take, median', colour: '#2f81f7', valueOf: (one: QueueFigures) => one.take_p50 },
  { name: 'take, 99th percentile', colour: '#d1642c', valueOf: (one: QueueFigures) => one.take_p99 },
  { name: 'CPU of one take and one end', colour: '#3f9142', valueOf: (one: QueueFigures) => one.cpu_per_job },
];

/** Draws what a job costs against the length of the queue, as SVG: the length by powers of ten, milliseconds from 0. */
export function plotQueue(figures: readonly QueueFigures[]): string {
  const lengths = figures.map(({ queued }) => queued);
  const least = Math.log10(Math.min(...lengths));
  const most = Math.log10(Math.max(...lengths));
  const top =
    Math.ceil((Math.max(...figures.flatMap((one) => LINES.map(({ valueOf }) => valueOf(one)))) * 1.1) / 5) *
    5;
  const x = (queued: number): number =>
    LEFT + ((Math.log10(queued) - least) / Math.max(most - least, 1e-9)) * (WIDTH - LEFT - RIGHT);
  const y = (ms: number): number => HEIGHT - BOTTOM - (ms / top) * (HEIGHT - TOP - BOTTOM);
  const label = (at: { x: number; y: number; anchor: string }, text: string, colour = '#7d8590'): string =>
    `<text x="${at.x.toFixed(0)}" y="${at.y.toFixed(0)}" text-anchor="${at.anchor}" fill="${colour}">${text}</text>`;
  const grid = Array.from({ length: 6 }, (_, index) => (top / 5) * index).map(
    (ms) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(ms).toFixed(1)}" y2="${y(ms).toFixed(1)}" stroke="#7d8590" stroke-opacity="0.3"/>` +
      label({ x: LEFT - 8, y: y(ms) + 4, anchor: 'end' }, String(Math.round(ms * 10) / 10)),
  );
  const lines = LINES.map(({ name, colour, valueOf }, index) => {
    const points = figures.map((one) => `${x(one.queued).toFixed(1)},${y(valueOf(one)).toFixed(1)}`);
    const dots = points.map((point) => {
      const [cx, cy] = point.split(',');
      return `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`;
    });
    return (
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}` +
      label({ x: LEFT + index * 190, y: 20, anchor: 'start' }, name, colour)
    );
  });
  const ticks = lengths.map((queued) =>
    label({ x: x(queued), y: HEIGHT - BOTTOM + 20, anchor: 'middle' }, queued.toLocaleString('en')),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">`,
    '<title>Milliseconds of one job against the number of queued jobs</title>',
    ...[...grid, ...lines, ...ticks],
    label({ x: (WIDTH + LEFT) / 2, y: HEIGHT - 8, anchor: 'middle' }, 'jobs in the queue'),
    label({ x: 8, y: TOP - 8, anchor: 'start' }, 'ms'),
    '</svg>\n',
  ].join('\n');
}
