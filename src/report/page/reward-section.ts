import { anchors } from './anchors.ts';
import { signed } from './figures.ts';
import { partClass, type LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';
import { renderRewardPlot } from './reward-plot.ts';

/** Renders the reward by attempt as a plot and a table. */
export function renderReward(view: LoopView): Markup {
  const { attempts, checks, record } = view;
  const hasRefused = attempts.some(({ attempt }) => attempt.tampering.length > 0);
  return html`<section id="reward" aria-labelledby="reward-h">
    <h2 id="reward-h">Reward</h2>
    <div class="card">
      <ul class="legend">
        ${checks.map((name) => html`<li><span class="swatch ${partClass(checks, name)}"></span>${name}</li>`)}
        <li><span class="stroke"></span>reward</li>
        <li><span class="stroke dashed"></span>best so far</li>
        ${hasRefused && html`<li><span class="flag"></span>refused edits</li>`}
      </ul>
      ${renderRewardPlot(view)}
      <details class="more">
        <summary>as a table</summary>
        <div class="scroll" tabindex="0" role="group" aria-label="Reward by attempt">
          <table class="figures">
            <thead>
              <tr>
                <th scope="col">Attempt</th>
                ${checks.map((name) => html`<th scope="col">${name}</th>`)}
                <th scope="col">Reward</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              ${
                record.baseline !== null &&
                html`<tr>
                  <th scope="row">baseline</th>
                  ${sharesOf(checks, record.baseline)}
                  <td>${record.baseline.reward.toFixed(3)}</td>
                  <td></td>
                </tr>`
              }
              ${attempts.map(
                ({ attempt, gain }) =>
                  html`<tr>
                    <th scope="row">
                      <a href="#${anchors.attempt(attempt.iteration)}">${attempt.iteration}</a>
                    </th>
                    ${attempt.evaluation === null ? checks.map(() => html`<td></td>`) : sharesOf(checks, attempt.evaluation)}
                    <td>${attempt.evaluation?.reward.toFixed(3) ?? 'not evaluated'}</td>
                    <td>${gain === null ? '' : signed(gain)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  </section>`;
}

function sharesOf(
  checks: readonly string[],
  evaluation: { readonly checks: readonly { name: string; weight: number; score: number }[] },
): Markup[] {
  return checks.map((name) => {
    const check = evaluation.checks.find((candidate) => candidate.name === name);
    return html`<td>${check === undefined ? '' : (check.weight * check.score).toFixed(3)}</td>`;
  });
}
