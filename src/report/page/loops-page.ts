import type { Analysis } from '../../schema/generated.ts';
import { renderDuration } from '../../platform/text/duration.ts';
import { renderCount } from '../count.ts';
import { renderDocument } from './document.ts';
import { cutText, percent, signed } from './figures.ts';
import { isComparable, renderMemoryUse } from './loops-memory.ts';
import { renderCalibration, renderCategories, renderCurve, renderOutcomes } from './loops-plots.ts';
import { renderLoopsTable } from './loops-table.ts';
import { html, type Content, type Markup } from './markup.ts';
import { renderShare } from './share.ts';

/** Input of `renderLoopsPage`. */
export interface LoopsPage {
  readonly analysis: Analysis;
  /** Name of the repository's folder. */
  readonly repository: string;
  /** ralph's version. */
  readonly version: string;
}

/** Renders all loops of a repository as a self-contained HTML page. */
export function renderLoopsPage({ analysis, repository, version }: LoopsPage): string {
  const { loops, categories, calibration, curve } = analysis;
  const hasMemory =
    analysis.lessons.lessons > 0 || isComparable(analysis.memory) || isComparable(analysis.familiar);
  const main = html`<section id="summary" aria-labelledby="summary-h">
      <p class="eyebrow">${repository}</p>
      <h1 id="summary-h">${renderCount(loops.length, 'loop')}</h1>
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
              ${renderCount(analysis.errors.fixed, 'failure')} gone, ${analysis.errors.same} the same,
              ${analysis.errors.new} new, over ${renderCount(analysis.errors.attempts, 'attempt')}.
            </p>
            ${categories.length === 0 ? html`<p>No reflection names a category.</p>` : renderCategories(analysis)}
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
        <div class="card">${renderMemoryUse(analysis)}</div>
      </section>`
    }
    ${
      loops.length > 0 &&
      html`<section id="loops" aria-labelledby="loops-h">
        <h2 id="loops-h">Loops</h2>
        <div class="card">${renderLoopsTable(loops)}</div>
      </section>`
    }`;
  return renderDocument({
    title: `${renderCount(loops.length, 'loop')} of ${repository}`,
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
      html`attempts to success, median of ${renderCount(time.loops, 'loop')}`,
    )}${tile(time.median_ms === null ? '–' : renderDuration(time.median_ms), 'time to success, median')}${tile(
      attempts,
      html`attempts${rate !== null && html`; learning rate ${signed(rate)} a reward`}`,
    )}${
      first !== undefined &&
      tile(signed(first.gain), html`largest gain: attempt ${first.attempt} of <code>${first.loop_id}</code>`)
    }
  </ul>`;
}

function renderCalibrationCard({ calibration }: Analysis): Markup {
  const { n, too_few: few, correlation, low, high } = calibration;
  if (n === 0) return html`<p>No reflection has been followed by an attempt yet.</p>`;
  const related =
    correlation === null
      ? 'no correlation, because one of the values never varies'
      : `correlation ${signed(correlation)}${low === null || high === null ? '' : ` (95 %: ${signed(low)} to ${signed(high)})`}`;
  return html`<p class="note">
      ${renderCount(n, 'reflection')} followed by an
      attempt${few ? ', too few for a conclusion' : `; ${related}`}. The bars are 95 % intervals.
    </p>
    ${renderCalibration({ calibration })}`;
}

function renderLeftOut({ left_out: leftOut }: Analysis): Markup | null {
  if (leftOut.length === 0) return null;
  return html`<div class="callout warn" role="note">
    <h2>Unreadable files</h2>
    <ul>
      ${leftOut.slice(0, 50).map(({ path, problem }) => html`<li><code>${path}</code> ${cutText(problem, 400)}</li>`)}
    </ul>
  </div>`;
}
