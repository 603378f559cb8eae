import { renderCount } from '../count.ts';
import { failureName, failurePlace, type FailureRow } from '../failure-matrix.ts';
import { anchors } from './anchors.ts';
import { cutText, firstLine } from './figures.ts';
import type { LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';

/** Maximum rows; failures that were seen last come first. */
const MAX_ROWS = 120;
/** Above this number of columns, the cells are small. */
const MANY_COLUMNS = 40;

/** Renders a matrix of failures by attempt, which can be navigated with the arrow keys. */
export function renderFailureMatrix({ rows, attempts }: LoopView): Markup {
  const judged = attempts.filter(({ attempt }) => attempt.evaluation !== null);
  const iterations = judged.map(({ attempt }) => attempt.iteration);
  const shown = [...rows]
    .sort((a, b) => lastSeen(b, iterations) - lastSeen(a, iterations))
    .slice(0, MAX_ROWS);
  const hidden = rows.length - shown.length;
  const heading = html`<h2 id="failures-h">Failures</h2>`;
  if (rows.length === 0)
    return html`<section id="failures" aria-labelledby="failures-h">
      ${heading}
      <div class="card"><p>Nothing failed, or no evaluation is stored.</p></div>
    </section>`;
  return html`<section id="failures" aria-labelledby="failures-h">
    ${heading}
    <div class="card">
      <p class="note">
        ${renderCount(rows.length, 'failure')} over ${renderCount(iterations.length, 'attempt')}. Each attempt
        is compared with the one that it started from. Arrow keys move between the cells, Enter opens the
        attempt.
      </p>
      <ul class="legend">
        <li><span class="cell new"></span>new</li>
        <li><span class="cell same"></span>same</li>
        <li><span class="cell fixed"></span>fixed</li>
        <li><span class="cell none"></span>not failing</li>
      </ul>
      <div class="scroll" role="group" aria-label="Failures by attempt">
        <table class="matrix${iterations.length > MANY_COLUMNS && ' many'}" id="matrix">
          <thead>
            <tr>
              <th scope="col">Failure</th>
              <th scope="col"><abbr title="baseline">b</abbr></th>
              ${iterations.map((iteration) => html`<th scope="col"><a href="#${anchors.attempt(iteration)}" tabindex="-1">${iteration}</a></th>`)}
            </tr>
          </thead>
          <tbody>
            ${shown.map((row, index) => renderRow(row, index, iterations))}
          </tbody>
        </table>
      </div>
      <p class="cell-status" id="cell-status" aria-live="polite">Point at a cell to read its meaning.</p>
      ${hidden > 0 && html`<p class="note">${renderCount(hidden, 'earlier failure')} left out.</p>`}
      <details class="more">
        <summary>as text</summary>
        <ul class="text">
          ${shown.map((row) => html`<li>${renderName(row)}: ${describeHistory(row, iterations)}</li>`)}
        </ul>
      </details>
    </div>
  </section>`;
}

function renderRow(row: FailureRow, index: number, iterations: readonly number[]): Markup {
  const { diagnostic, inBaseline, changes } = row;
  const place = failurePlace(diagnostic);
  const description = `${place === '' ? '' : `${place} `}${firstLine(diagnostic.message, 160)}`;
  return html`<tr>
    <th scope="row" id="${anchors.row(index)}" title="${description}">
      <span>${cutText(failureName(diagnostic), 120)}</span>
    </th>
    <td class="${inBaseline ? 'same' : ''}">${inBaseline && 'failing'}</td>
    ${iterations.map((iteration) => {
      const change = changes.get(iteration);
      if (change === 'unseen') return html`<td>no report</td>`;
      if (change === 'passing') return html`<td>passing</td>`;
      return change === undefined ? html`<td></td>` : html`<td class="${change}">${change}</td>`;
    })}
  </tr>`;
}

function renderName({ diagnostic }: FailureRow): string {
  const place = failurePlace(diagnostic);
  return `${diagnostic.check}: ${cutText(failureName(diagnostic), 160)}${place === '' ? '' : ` (${place})`}`;
}

/** `in the baseline; fixed in attempt 2; new in 5; same in 6, 7`. */
function describeHistory({ inBaseline, changes }: FailureRow, iterations: readonly number[]): string {
  const parts = (['new', 'same', 'fixed', 'passing', 'unseen'] as const).flatMap((change) => {
    const where = iterations.filter((iteration) => changes.get(iteration) === change);
    const shown = WORDS[change];
    return where.length === 0 ? [] : [`${shown} in attempt ${ranges(where)}`];
  });
  return [...(inBaseline ? ['in the baseline'] : []), ...parts].join('; ');
}

const WORDS = {
  new: 'new',
  same: 'same',
  fixed: 'fixed',
  passing: 'passing with the code as it was',
  unseen: 'not reported again',
} as const;

/** `1, 3–5, 9`. */
function ranges(numbers: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
}

function lastSeen({ inBaseline, changes }: FailureRow, iterations: readonly number[]): number {
  return (
    iterations.findLast((iteration) => /new|same/.test(changes.get(iteration) ?? '')) ?? (inBaseline ? 0 : -1)
  );
}
