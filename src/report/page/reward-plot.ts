import { scaleBand, scaleLinear, type ScaleBand, type ScaleLinear } from 'd3-scale';
import { curveStepAfter, line, stack } from 'd3-shape';
import type { Evaluation } from '../../schema/generated.ts';
import { renderCount } from '../count.ts';
import { anchors } from './anchors.ts';
import { at } from './figures.ts';
import { partClass, type LoopView } from './loop-view.ts';
import { html, type Content, type Markup } from './markup.ts';
import { renderPlot, spaced } from './plot.ts';

/** Data of one bar. */
interface Column {
  /** 0 is the baseline. */
  readonly iteration: number;
  readonly evaluation: Evaluation | null;
  /** Highest reward up to here. */
  readonly bestSoFar: number;
  readonly isBest: boolean;
  readonly refused: number;
}

const MARGIN = { top: 26, right: 8, bottom: 34, left: 34 };

/** Renders the reward by attempt: stacked bars of the checks' shares, lines of reward and best so far, marks for refused edits. */
export function renderRewardPlot(view: LoopView): Markup {
  const columns = columnsOf(view);
  const { verdict } = view.record;
  return renderPlot({
    id: 'reward',
    title: 'Reward by attempt',
    description: `From ${verdict.baseline_reward.toFixed(3)} at the baseline to ${verdict.reward.toFixed(3)} at the best, over ${renderCount(columns.length - 1, 'attempt')}. The table below has every figure.`,
    draw: (width) => draw(view, columns, width),
  });
}

function columnsOf({ record, attempts }: LoopView): Column[] {
  let bestSoFar = record.baseline?.reward ?? 0;
  const base = { iteration: 0, evaluation: record.baseline, bestSoFar, isBest: false, refused: 0 };
  return [
    base,
    ...attempts.map(({ attempt }) => {
      if (attempt.best && attempt.evaluation !== null) bestSoFar = attempt.evaluation.reward;
      return {
        iteration: attempt.iteration,
        evaluation: attempt.evaluation,
        bestSoFar,
        isBest: attempt.iteration === record.verdict.best_iteration,
        refused: attempt.tampering.length,
      };
    }),
  ];
}

interface Scales {
  readonly x: ScaleBand<number>;
  readonly y: ScaleLinear<number, number>;
}

function draw(
  view: LoopView,
  columns: readonly Column[],
  width: number,
): { height: number; content: Content } {
  const height = width < 400 ? 220 : 300;
  const x = scaleBand<number>()
    .domain(columns.map((_, index) => index))
    .range([MARGIN.left, width - MARGIN.right])
    .paddingInner(columns.length > 60 ? 0.12 : 0.3)
    .paddingOuter(0.2);
  const y = scaleLinear([0, 1], [height - MARGIN.bottom, MARGIN.top]);
  const scales = { x, y };
  return {
    height,
    content: [
      renderAxes(columns, scales, width),
      renderBars(view, columns, scales),
      renderLines(columns, scales),
      renderMarks(columns, scales),
    ],
  };
}

function renderAxes(columns: readonly Column[], { x, y }: Scales, width: number): Markup {
  const has = spaced(columns.length, (width - MARGIN.left) / 46);
  const bottom = y(0);
  return html`<g class="axis"
    >${y.ticks(4).map((tick) => html`<line class="grid" x1="${MARGIN.left}" x2="${width - MARGIN.right}" y1="${at(y(tick))}" y2="${at(y(tick))}" /><text x="${MARGIN.left - 6}" y="${at(y(tick) + 4)}" text-anchor="end">${tick.toFixed(2).replace(/0$/, '')}</text>`)}${columns.map(
      ({ iteration }, index) =>
        has(index) &&
        html`<text x="${at(centre(x, index))}" y="${bottom + 18}" text-anchor="middle"
          >${iteration === 0 ? 'base' : iteration}</text
        >`,
    )}<line x1="${MARGIN.left}" x2="${width - MARGIN.right}" y1="${bottom}" y2="${bottom}"
  /></g>`;
}

/** Bars stacked by check; a click on a bar leads to its attempt, as the links of the table do. */
function renderBars({ checks }: LoopView, columns: readonly Column[], { x, y }: Scales): Markup[] {
  const shares = columns.map(({ evaluation }) =>
    Object.fromEntries(
      checks.map((name) => {
        const check = evaluation?.checks.find((candidate) => candidate.name === name);
        return [name, check === undefined ? 0 : check.weight * check.score];
      }),
    ),
  );
  const layers = stack<Record<string, number>>().keys(checks)(shares);
  return columns.map(({ iteration, evaluation }, index) => {
    const parts = layers.map((layer) => {
      const [from, to] = layer[index]!;
      if (to - from <= 0) return null;
      return html`<rect
        class="${partClass(checks, layer.key)}"
        x="${at(x(index)!)}"
        width="${at(x.bandwidth())}"
        y="${at(y(to))}"
        height="${at(y(from) - y(to))}"
      />`;
    });
    const name = iteration === 0 ? 'Baseline' : `Attempt ${iteration}`;
    const figures = checks.map((check) => `${check} ${(shares[index]![check] ?? 0).toFixed(3)}`).join(', ');
    const result = evaluation === null ? 'not evaluated' : `${evaluation.reward.toFixed(3)} (${figures})`;
    const body = html`<title>${name}: ${result}</title>${parts}`;
    return iteration === 0
      ? html`<g>${body}</g>`
      : html`<g data-to="${anchors.attempt(iteration)}">${body}</g>`;
  });
}

function renderLines(columns: readonly Column[], { x, y }: Scales): Markup {
  const reward = line<Column>()
    .defined(({ evaluation }) => evaluation !== null)
    .x((_, index) => at(centre(x, index)))
    .y(({ evaluation }) => at(y(evaluation!.reward)));
  const best = line<Column>()
    .curve(curveStepAfter)
    .x((_, index) => at(centre(x, index)))
    .y((column) => at(y(column.bestSoFar)));
  return html`<path class="best-line" d="${best([...columns]) ?? ''}" /><path
      class="reward-line${isCrowded(x) && ' thin'}"
      d="${reward([...columns]) ?? ''}"
    />`;
}

function renderMarks(columns: readonly Column[], { x, y }: Scales): Markup[] {
  const isTight = isCrowded(x);
  return columns.flatMap(({ evaluation, isBest, refused }, index) => {
    if (evaluation === null) return [];
    const [cx, cy] = [at(centre(x, index)), at(y(evaluation.reward))];
    const isEnd = index === 0 || index === columns.length - 1;
    return [
      ...(isTight && !isBest && !isEnd
        ? []
        : [
            html`<circle class="dot${isBest && ' best'}" cx="${cx}" cy="${cy}" r="${isBest ? 5.5 : 3.5}" />`,
            html`<text class="value" x="${cx}" y="${at(cy - 10)}" text-anchor="middle"
              >${evaluation.reward.toFixed(2)}</text
            >`,
          ]),
      ...(refused === 0
        ? []
        : [
            html`<path class="refused" d="M${cx - 5} ${MARGIN.top - 24}h10l-5 8z"
              ><title>${refused} refused</title></path
            >`,
          ]),
    ];
  });
}

/** True if there is no space for a mark and a figure at each column. */
function isCrowded(x: ScaleBand<number>): boolean {
  return x.bandwidth() < 26;
}

function centre(x: ScaleBand<number>, index: number): number {
  return x(index)! + x.bandwidth() / 2;
}
