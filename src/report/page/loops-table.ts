import type { AnalysisLoop } from '../../schema/generated.ts';
import { renderDuration } from '../../platform/text/duration.ts';
import { renderCount } from '../count.ts';
import { cutText } from './figures.ts';
import { renderSparkline } from './loops-plots.ts';
import { html, type Markup } from './markup.ts';

const MAX_LOOPS = 500;

/** Renders a table of the newest loops. */
export function renderLoopsTable(loops: readonly AnalysisLoop[]): Markup {
  const shown = [...loops].reverse().slice(0, MAX_LOOPS);
  const hidden = loops.length - shown.length;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table of loops">
      <table class="loops">
        <thead>
          <tr>
            <th scope="col">Loop</th>
            <th scope="col">Ended</th>
            <th scope="col"><span class="hidden">Rewards as a line</span></th>
            <th scope="col">Reward</th>
            <th scope="col">Attempts</th>
            <th scope="col">Time</th>
            <th scope="col">Memory</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            ({ loop_id: id, task, status, passed, rewards, attempts, ms_to_success: ms, memory }) =>
              html`<tr>
                <th scope="row">${cutText(task, 160)}<code>${id}</code></th>
                <td>
                  <span class="tag ${passed === true ? 'good' : ''}"
                    >${(status ?? 'reflections only').replaceAll('_', ' ')}</span
                  >
                </td>
                <td>${renderSparkline(rewards)}</td>
                <td>
                  ${rewards.length === 0 ? '' : `${rewards[0]!.toFixed(2)} → ${Math.max(...rewards).toFixed(2)}`}
                </td>
                <td>${attempts}</td>
                <td>${ms === null ? '' : renderDuration(ms)}</td>
                <td>${memory === null ? 'unknown' : memory ? 'with' : 'without'}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${hidden > 0 && html`<p class="note">${renderCount(hidden, 'earlier loop')} left out.</p>`}
    <p class="note">The page of one loop: <code>ralph report LOOP-ID --html FILE</code></p>`;
}
