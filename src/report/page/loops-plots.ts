import { scaleBand, scaleLinear, scalePoint } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import type { Analysis, AnalysisBin, AnalysisCurvePoint, AnalysisLoop } from '../../schema/generated.ts';
import { renderCount } from '../count.ts';
import { at, percent } from './figures.ts';
import { html, type Markup } from './markup.ts';
import { renderPlot, spaced } from './plot.ts';

/** The page has two columns of plots. */
const WIDTHS = [300, 560, 700] as const;
const MARGIN = { top: 18, right: 14, bottom: 36, left: 40 };

/** Renders the mean of the best reward so far by attempt. */
export function renderCurve({ curve }: Analysis): Markup {
  return renderPlot({
    id: 'curve',
    title: 'Learning curve',
    description: `Mean over loops of the best reward so far: ${curve.map(({ attempt, reward }) => `${attempt === 0 ? 'baseline' : `attempt ${attempt}`} ${reward.toFixed(3)}`).join(', ')}.`,
    widths: WIDTHS,
    draw: (width) => {
      const height = 240;
      const x = scaleLinear([0, Math.max(1, curve.length - 1)], [MARGIN.left, width - MARGIN.right]);
      const y = scaleLinear([0, 1], [height - MARGIN.bottom, MARGIN.top]);
      const path = line<AnalysisCurvePoint>()
        .curve(curveStepAfter)
        .x(({ attempt }) => at(x(attempt)))
        .y(({ reward }) => at(y(reward)));
      const filled = area<AnalysisCurvePoint>()
        .curve(curveStepAfter)
        .x(({ attempt }) => at(x(attempt)))
        .y0(at(y(0)))
        .y1(({ reward }) => at(y(reward)));
      const has = spaced(curve.length, width / 50);
      return {
        height,
        content: html`${shareAxis(y, width, (tick) => tick.toFixed(1))}${curve.map(
            ({ attempt }) =>
              has(attempt) &&
              html`<text x="${at(x(attempt))}" y="${height - MARGIN.bottom + 18}" text-anchor="middle"
                >${attempt === 0 ? 'base' : attempt}</text
              >`,
          )}<path class="area" d="${filled([...curve])}" /><path
            class="curve"
            d="${path([...curve])}"
          />${curve.map(
            ({ attempt, reward, own_reward: own, running }) =>
              curve.length <= 40 &&
              html`<circle class="point" cx="${at(x(attempt))}" cy="${at(y(reward))}" r="4"
                ><title>
                  ${attempt === 0 ? 'Baseline:' : `Best up to attempt ${attempt}:`}
                  ${reward.toFixed(3)}${attempt === 0 || own === null ? '' : `; attempt ${attempt} of ${renderCount(running, 'loop')}: ${own.toFixed(3)}`}
                </title></circle
              >`,
          )}${axisName(width, height, 'attempt')}`,
      };
    },
  });
}

/** Renders the number of attempts of each loop, oldest first, with a mark for loops that did not pass. */
export function renderOutcomes({ loops }: Analysis): Markup {
  const known = loops.filter(({ passed, status }) => passed !== null && status !== 'nothing_to_do');
  const most = Math.max(1, ...known.map(attemptsOf));
  const passed = known.filter((loop) => loop.passed === true).length;
  return renderPlot({
    id: 'outcomes',
    title: 'Attempts of each loop',
    description: `${passed} of ${renderCount(known.length, 'loop')} passed. The table of loops has the attempts of each.`,
    widths: WIDTHS,
    draw: (width) => {
      const height = 240;
      const x = scalePoint<number>()
        .domain(known.map((_, index) => index))
        .range([MARGIN.left + 10, width - MARGIN.right - 4]);
      const y = scaleLinear([0, most], [height - MARGIN.bottom, MARGIN.top]).nice(4);
      const has = spaced(known.length, width / 50);
      const radius = known.length > 60 ? 3 : 5;
      return {
        height,
        content: html`<g class="axis"
            >${y
              .ticks(4)
              .filter(Number.isInteger)
              .map(
                (tick) =>
                  html`<line
                      class="grid"
                      x1="${MARGIN.left}"
                      x2="${width - MARGIN.right}"
                      y1="${at(y(tick))}"
                      y2="${at(y(tick))}"
                    /><text x="${MARGIN.left - 8}" y="${at(y(tick) + 4)}" text-anchor="end">${tick}</text>`,
              )}</g
          >${known.map((loop, index) => {
            const [cx, cy] = [at(x(index)!), at(y(attemptsOf(loop)))];
            const label = `${loop.loop_id}: ${loop.passed === true ? 'passed' : 'not verified'}, ${renderCount(attemptsOf(loop), 'attempt')}`;
            const mark =
              loop.passed === true
                ? html`<circle class="passed" cx="${cx}" cy="${cy}" r="${radius}"
                    ><title>${label}</title></circle
                  >`
                : html`<path class="failed" d="M${cx - 4} ${cy - 4}l8 8m0-8l-8 8"
                    ><title>${label}</title></path
                  >`;
            const number = html`<text x="${cx}" y="${height - MARGIN.bottom + 18}" text-anchor="middle"
              >${index + 1}</text
            >`;
            return html`${mark}${has(index) && number}`;
          })}${axisName(width, height, 'loop, oldest first')}`,
      };
    },
  });
}

/** Renders how often reflections named each category. */
export function renderCategories({ categories }: Analysis): Markup {
  const most = Math.max(1, ...categories.map(({ count }) => count));
  return renderPlot({
    id: 'categories',
    title: 'Categories of failures',
    description: `Named by reflections: ${categories.map(({ category, count }) => `${category.replaceAll('_', ' ')} ${count}`).join(', ')}.`,
    widths: WIDTHS,
    draw: (width) => {
      const height = categories.length * 34 + 10;
      const y = scaleBand<number>()
        .domain(categories.map((_, index) => index))
        .range([4, height - 4])
        .padding(0.2);
      const x = scaleLinear([0, most], [0, width - 90]);
      return {
        height,
        content: categories.map(({ category, count, share }, index) => {
          const top = y(index)!;
          const width = Math.max(2, x(count));
          return html`<text class="name" x="0" y="${at(top + 10)}">${category.replaceAll('_', ' ')}</text
            ><rect
              class="part${Math.min(index, 5)}"
              x="0"
              y="${at(top + 15)}"
              width="${at(width)}"
              height="9"
              rx="2"
            /><text x="${at(width + 8)}" y="${at(top + 24)}">${count} (${percent(share)})</text>`;
        }),
      };
    },
  });
}

/** Renders confidence against the share of reflections that were followed by an improvement, with intervals. */
export function renderCalibration({ calibration }: Pick<Analysis, 'calibration'>): Markup {
  const bins = calibration.bins.filter(({ n, share }) => n > 0 && share !== null);
  const shares = bins.map(({ from, to, part, n }) => `${from}–${to}: ${part} of ${n}`).join(', ');
  return renderPlot({
    id: 'calibration',
    title: 'Confidence against improvement',
    description: `Reflections by confidence, with the number that were followed by an improvement. ${shares}. On the dashed line, confidence equals the share of improvements.`,
    widths: WIDTHS,
    draw: (width) => {
      const height = 260;
      const x = scaleLinear([0, 1], [MARGIN.left, width - MARGIN.right]);
      const y = scaleLinear([0, 1], [height - MARGIN.bottom, MARGIN.top]);
      return {
        height,
        content: html`${shareAxis(y, width, percent)}${[0, 0.25, 0.5, 0.75, 1].map((tick) => html`<text x="${at(x(tick))}" y="${height - MARGIN.bottom + 18}" text-anchor="middle">${tick}</text>`)}<path
            class="reference"
            d="M${at(x(0))} ${at(y(0))}L${at(x(1))} ${at(y(1))}"
          />${bins.map((bin) => {
            const cx = at(x(middleOf(bin)));
            return html`<line
                class="whisker"
                x1="${cx}"
                x2="${cx}"
                y1="${at(y(bin.low ?? 0))}"
                y2="${at(y(bin.high ?? 1))}"
              /><circle class="point" cx="${cx}" cy="${at(y(bin.share!))}" r="6"
                ><title>confidence ${bin.from}–${bin.to}: ${bin.part} of ${bin.n} improved</title></circle
              ><text class="value" x="${cx + 10}" y="${at(y(bin.share!) + 4)}">${bin.part}/${bin.n}</text>`;
          })}${axisName(width, height, 'confidence')}`,
      };
    },
  });
}

/** Renders the rewards of one loop as a small line. */
export function renderSparkline(rewards: readonly number[]): Markup {
  const x = scaleLinear([0, Math.max(1, rewards.length - 1)], [3, 117]);
  const y = scaleLinear([0, 1], [27, 3]);
  const path = line<number>()
    .x((_, index) => at(x(index)))
    .y((reward) => at(y(reward)));
  return html`<svg class="spark" viewBox="0 0 120 30" aria-hidden="true" focusable="false">
    <path d="${path([...rewards]) ?? ''}" />
    ${rewards.length > 0 && html`<circle cx="${at(x(rewards.length - 1))}" cy="${at(y(rewards.at(-1)!))}" r="3" />`}
  </svg>`;
}

function attemptsOf({ attempts, attempts_to_success: success }: AnalysisLoop): number {
  return success ?? attempts;
}

function middleOf({ from, to }: AnalysisBin): number {
  return (from + to) / 2;
}

function shareAxis(y: (share: number) => number, width: number, name: (tick: number) => string): Markup {
  return html`<g class="axis"
    >${[0, 0.25, 0.5, 0.75, 1].map((tick) => html`<line class="grid" x1="${MARGIN.left}" x2="${width - MARGIN.right}" y1="${at(y(tick))}" y2="${at(y(tick))}" />${(tick * 4) % 2 === 0 && html`<text x="${MARGIN.left - 8}" y="${at(y(tick) + 4)}" text-anchor="end">${name(tick)}</text>`}`)}</g
  >`;
}

function axisName(width: number, height: number, name: string): Markup {
  return html`<text x="${width - MARGIN.right}" y="${height - 2}" text-anchor="end">${name}</text>`;
}
