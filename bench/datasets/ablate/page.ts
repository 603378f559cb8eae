import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { version } from '../../../src/platform/version.ts';
import { renderDocument } from '../../../src/report/page/document.ts';
import { at, percent } from '../../../src/report/page/figures.ts';
import { html, type Markup } from '../../../src/report/page/markup.ts';
import { renderPlot } from '../../../src/report/page/plot.ts';
import { renderInterval } from '../statistics.ts';
import { renderDifference, type AblateReport, type ArmSummary } from './report.ts';

const WIDTHS = [300, 560, 700] as const;
const MARGIN = { top: 14, right: 14, bottom: 34, left: 48 };
const HEIGHT = 200;

/** Renders an ablation as a self-contained HTML page: the table, and a curve per arm. */
export function renderPage(report: AblateReport): string {
  const { arms, options, complete } = report;
  const main = html`<section id="summary" aria-labelledby="summary-h">
      <p class="eyebrow">${options.file}</p>
      <h1 id="summary-h">Ablation of ${arms.length} arms</h1>
      <p>
        ${options.budget_seconds} s a problem, ${options.visible} tests visible; node ${report.node},
        ${report.cores} cores${complete ? '' : '; stopped early'}.
      </p>
      <div class="card">${renderTable(arms)}</div>
    </section>
    <section id="curves" aria-labelledby="curves-h">
      <h2 id="curves-h">Right results by number of attempts</h2>
      <div class="pair">
        ${arms.map(
          (arm, index) =>
            html`<div class="card">
              <h3>${arm.name}</h3>
              ${renderCurve(arm, index)}
            </div>`,
        )}
      </div>
    </section>`;
  return renderDocument({
    title: `Ablation of ${arms.length} arms`,
    sections: [
      ['summary', 'Summary'],
      ['curves', 'Curves'],
    ],
    main,
    version: version(),
    hasAttempts: false,
  });
}

function renderTable(arms: readonly ArmSummary[]): Markup {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Arm</th>
        <th scope="col">Problems</th>
        <th scope="col">Right, 95 % interval</th>
        <th scope="col">Against the first arm</th>
        <th scope="col">Verified</th>
        <th scope="col">Attempts</th>
      </tr>
    </thead>
    <tbody>
      ${arms.map(
        (arm, index) =>
          html`<tr>
            <th scope="row">${arm.name}</th>
            <td>${arm.problems}</td>
            <td>${arm.right}: ${renderInterval(arm.right, arm.problems)}</td>
            <td>${index === 0 ? '–' : renderDifference(arm, arms[0]!)}</td>
            <td>${arm.verified}</td>
            <td>${arm.attempts}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function renderCurve(arm: ArmSummary, index: number): Markup {
  const shares = arm.right_by_attempt.map((count) => (arm.problems === 0 ? 0 : count / arm.problems));
  return renderPlot({
    id: `arm${index}`,
    title: `Right results of ${arm.name}`,
    description: `Share of problems that were right after at most so many attempts: ${shares.map((share, attempt) => `${attempt + 1}: ${percent(share)}`).join(', ')}.`,
    widths: WIDTHS,
    draw: (width) => {
      const x = scaleLinear([1, Math.max(2, shares.length)], [MARGIN.left, width - MARGIN.right]);
      const y = scaleLinear([0, 1], [HEIGHT - MARGIN.bottom, MARGIN.top]);
      const path = line<number>()
        .x((_, attempt) => at(x(attempt + 1)))
        .y((share) => at(y(share)));
      const axis = [0, 0.5, 1].map(
        (tick) =>
          html`<line
              class="grid"
              x1="${MARGIN.left}"
              x2="${width - MARGIN.right}"
              y1="${at(y(tick))}"
              y2="${at(y(tick))}"
            /><text x="${MARGIN.left - 8}" y="${at(y(tick) + 4)}" text-anchor="end">${percent(tick)}</text>`,
      );
      const points = shares.map(
        (share, attempt) =>
          html`<circle class="point" cx="${at(x(attempt + 1))}" cy="${at(y(share))}" r="4"
              ><title>${attempt + 1}: ${percent(share)}</title></circle
            ><text x="${at(x(attempt + 1))}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle"
              >${attempt + 1}</text
            >`,
      );
      const curve = html`<path class="curve" d="${path(shares) ?? ''}" />`;
      return { height: HEIGHT, content: html`<g class="axis">${axis}</g>${curve}${points}` };
    },
  });
}
