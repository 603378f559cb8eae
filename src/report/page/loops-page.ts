import type { Analysis, AnalysisComparison, AnalysisLoop, AnalysisShare } from '../../schema/generated.ts';
import { renderDuration } from '../../platform/text/duration.ts';
import { renderDocument } from './document.ts';
import { bar, counted, cutText, percent, signed, withCode } from './figures.ts';
import {
  renderCalibration,
  renderCategories,
  renderCurve,
  renderOutcomes,
  renderSparkline,
} from './loops-plots.ts';
import { html, type Content, type Markup } from './markup.ts';

export interface LoopsPage {
  readonly analysis: Analysis;
  /** Name of the repository's folder. */
  readonly repository: string;
  /** ralph's own. */
  readonly version: string;
}

const MOST_LOOPS = 500;
const MOST_LESSONS = 10;

/** All loops of a repository as a page that stands for itself. */
export function renderLoopsPage({ analysis, repository, version }: LoopsPage): string {
  const { loops, categories, calibration, curve } = analysis;
  const hasMemory =
    analysis.lessons.lessons > 0 || isComparable(analysis.memory) || isComparable(analysis.familiar);
  const main = html`<section id="summary" aria-labelledby="summary-h">
      <p class="eyebrow">${repository}</p>
      <h1 id="summary-h">${counted(loops.length, 'loop')}</h1>
      ${loops.length === 0 ? html`<p>No loop has run here yet. Start one: <code>ralph run</code></p>` : renderTiles(analysis)}
      ${renderLeftOut(analysis)}
    </section>
    ${
      loops.length > 0 &&
      html`<section id="progress" aria-labelledby="progress-h">
        <h2 id="progress-h">Progress</h2>
        <div class="pair">
          <div class="card">
            <h3>Attempts of each loop</h3>
            <ul class="legend">
              <li><span class="mark fixed">●</span>&nbsp;passed</li>
              <li><span class="mark new">×</span>&nbsp;not verified</li>
            </ul>
            ${renderOutcomes(analysis)}
          </div>
          <div class="card">
            <h3>Learning curve</h3>
            <p class="note">
              Mean over loops of the best reward so far; a loop that has ended keeps its best.
            </p>
            ${curve.length > 0 && renderCurve(analysis)}
          </div>
        </div>
      </section>`
    }
    ${
      (categories.length > 0 || calibration.n > 0) &&
      html`<section id="failures" aria-labelledby="failures-h">
        <h2 id="failures-h">Failures and reflections</h2>
        <div class="pair">
          <div class="card">
            <h3>Categories</h3>
            <p class="note">
              ${analysis.errors.fixed} failures fixed, ${analysis.errors.same} the same,
              ${analysis.errors.new} new, over ${counted(analysis.errors.attempts, 'attempt')}.
            </p>
            ${categories.length === 0 ? html`<p>No reflection names one.</p>` : renderCategories(analysis)}
          </div>
          <div class="card">
            <h3>Calibration</h3>
            ${renderCalibrationCard(analysis)}
          </div>
        </div>
      </section>`
    }
    ${
      hasMemory &&
      html`<section id="memory" aria-labelledby="memory-h">
        <h2 id="memory-h">Memory</h2>
        <div class="card">${renderMemory(analysis)}</div>
      </section>`
    }
    ${
      loops.length > 0 &&
      html`<section id="loops" aria-labelledby="loops-h">
        <h2 id="loops-h">Loops</h2>
        <div class="card">${renderLoops(loops)}</div>
      </section>`
    }`;
  return renderDocument({
    title: `${counted(loops.length, 'loop')} of ${repository}`,
    sections: [
      ['summary', 'Summary'],
      ...(loops.length > 0 ? ([['progress', 'Progress']] as const) : []),
      ...(categories.length > 0 || calibration.n > 0 ? ([['failures', 'Failures']] as const) : []),
      ...(hasMemory ? ([['memory', 'Memory']] as const) : []),
      ...(loops.length > 0 ? ([['loops', 'Loops']] as const) : []),
    ],
    main,
    version,
    hasAttempts: false,
  });
}

function renderTiles({ success, time_to_success: time, attempts, rate, breakthroughs }: Analysis): Markup {
  const tile = (figure: Content, name: Content): Markup =>
    html`<li><strong>${figure}</strong><span>${name}</span></li>`;
  const first = breakthroughs[0];
  return html`<ul class="tiles">
    ${tile(
      success.share === null ? 'none yet' : percent(success.share),
      html`success: ${renderShare(success)}`,
    )}${tile(
      time.median_attempts ?? '–',
      html`attempts to success, median of ${counted(time.loops, 'loop')}`,
    )}${tile(time.median_ms === null ? '–' : renderDuration(time.median_ms), 'time to success, median')}${tile(
      attempts,
      html`attempts${rate !== null && html`; learning rate ${signed(rate)} a reward`}`,
    )}${
      first !== undefined &&
      tile(signed(first.gain), html`largest gain: attempt ${first.attempt} of <code>${first.loop_id}</code>`)
    }
  </ul>`;
}

/** `3 of 12 (95 %: 9 to 53 %)`, and plainly where it rests on too little. */
function renderShare({ part, n, low, high, too_few: few }: AnalysisShare): string {
  const interval = low === null || high === null ? '' : ` (95 %: ${percent(low)} to ${percent(high)})`;
  return `${part} of ${n}${interval}${few ? ', too few to go by' : ''}`;
}

function renderCalibrationCard({ calibration }: Analysis): Markup {
  const { n, too_few: few, correlation, low, high } = calibration;
  if (n === 0) return html`<p>No reflection was followed by an attempt yet.</p>`;
  const related =
    correlation === null
      ? 'no correlation: one of them never varies'
      : `correlation ${signed(correlation)}${low === null || high === null ? '' : ` (95 %: ${signed(low)} to ${signed(high)})`}`;
  return html`<p class="note">
      ${counted(n, 'reflection')} that an attempt followed${few ? ': too few to go by' : `; ${related}`}. The
      bars are 95 % intervals.
    </p>
    ${renderCalibration({ calibration })}`;
}

function isComparable({ with: one, without: two }: AnalysisComparison): boolean {
  return one.success.n > 0 && two.success.n > 0;
}

function renderMemory({ lessons, memory, familiar }: Analysis): Markup {
  return html`${
    lessons.lessons > 0 &&
    html`<h3>Lessons</h3>
      <p>
        ${counted(lessons.lessons, 'lesson')}; ${counted(lessons.attempts_told, 'attempt')} told of any. Told
        in a later loop: ${renderShare(lessons.reused)}. Effects in support: ${renderShare(lessons.helped)}.
      </p>
      <ul class="lessons">
        ${lessons.most_told.slice(0, MOST_LESSONS).map(
          ({ text, told, support, contradiction, status }) =>
            html`<li>
              <p>${withCode(cutText(text, 600))}</p>
              <p class="note">
                told ${told} times · <span class="good">+${support}</span>
                <span class="bad">−${contradiction}</span> · ${status}
              </p>
            </li>`,
        )}
      </ul>`
  }${comparison('With memory against without', memory)}${comparison('Failures seen before against new ones', familiar)}`;
}

function comparison(title: string, compared: AnalysisComparison): Markup | null {
  if (!isComparable(compared)) return null;
  const { with: one, without: two, success_difference: difference, low, high, too_few: few } = compared;
  const row = (name: string, { success, attempts }: AnalysisComparison['with']): Markup =>
    html`<tr>
      <th scope="row">${name}</th>
      <td>${renderShare(success)}</td>
      <td>${bar(success.share ?? 0, 'good')}</td>
      <td>${attempts.mean === null ? '' : attempts.mean.toFixed(1)}</td>
    </tr>`;
  return html`<h3>${title}</h3>
    <p class="note">
      No experiment: a difference may have other causes.
      ${few || difference === null ? 'Too few loops to compare.' : `Difference ${signed(difference)}${low === null || high === null ? '' : ` (95 %: ${signed(low)} to ${signed(high)})`}.`}
    </p>
    <div class="scroll" tabindex="0" role="group" aria-label="${title}">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Loops</th>
            <th scope="col">Passed</th>
            <th scope="col" class="wide"><span class="hidden">Share passed as a bar</span></th>
            <th scope="col">Attempts until then</th>
          </tr>
        </thead>
        <tbody>
          ${row('with', one)}${row('without', two)}
        </tbody>
      </table>
    </div>`;
}

function renderLoops(loops: readonly AnalysisLoop[]): Markup {
  const shown = [...loops].reverse().slice(0, MOST_LOOPS);
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
                    >${(status ?? 'reflections alone').replaceAll('_', ' ')}</span
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
    ${hidden > 0 && html`<p class="note">${counted(hidden, 'earlier loop')} left out.</p>`}
    <p class="note">One of them as a page: <code>ralph report LOOP-ID --html FILE</code></p>`;
}

function renderLeftOut({ left_out: leftOut }: Analysis): Markup | null {
  if (leftOut.length === 0) return null;
  return html`<div class="callout warn" role="note">
    <h2>Not everything could be read</h2>
    <ul>
      ${leftOut.slice(0, 50).map(({ path, problem }) => html`<li><code>${path}</code> ${cutText(problem, 400)}</li>`)}
    </ul>
  </div>`;
}
