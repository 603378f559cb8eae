import { failureName, failurePlace, type FailureRow } from '../failure-matrix.ts';
import { anchors } from './anchors.ts';
import { counted, cutText, firstLine } from './figures.ts';
import type { LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';

/** Rows of the matrix: those that fail to the last first, then those that did so latest. */
const MOST_ROWS = 120;
/** From so many columns on the cells are small. */
const MANY = 40;

/** What failed when: a matrix of failures over attempts, which arrow keys walk through. */
export function renderFailureMatrix({ rows, attempts }: LoopView): Markup {
  const judged = attempts.filter(({ attempt }) => attempt.evaluation !== null);
  const iterations = judged.map(({ attempt }) => attempt.iteration);
  const shown = [...rows]
    .sort((a, b) => lastSeen(b, iterations) - lastSeen(a, iterations))
    .slice(0, MOST_ROWS);
  const hidden = rows.length - shown.length;
  const heading = html`<h2 id="failures-h">Failures</h2>`;
  if (rows.length === 0)
    return html`<section id="failures" aria-labelledby="failures-h">
      ${heading}
      <div class="card"><p>Nothing failed, or no evaluation is left.</p></div>
    </section>`;
  return html`<section id="failures" aria-labelledby="failures-h">
    ${heading}
    <div class="card">
      <p class="note">
        ${counted(rows.length, 'failure')} over ${counted(iterations.length, 'attempt')}. Each attempt is
        compared with the one that it went on from. Arrow keys walk through the cells, Enter leads to the
        attempt.
      </p>
      <ul class="legend">
        <li><span class="cell new"></span>new</li>
        <li><span class="cell same"></span>same</li>
        <li><span class="cell fixed"></span>fixed</li>
        <li><span class="cell none"></span>not there</li>
      </ul>
      <div class="scroll" role="group" aria-label="Failures by attempt">
        <table class="matrix${iterations.length > MANY && ' many'}" id="matrix">
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
      <p class="told" id="told" aria-live="polite">Point at a cell to read what it stands for.</p>
      ${hidden > 0 && html`<p class="note">${counted(hidden, 'failure')} that went away earlier left out.</p>`}
      <details class="more">
        <summary>as text</summary>
        <ul class="text">
          ${shown.map((row) => html`<li>${nameOf(row)}: ${storyOf(row, iterations)}</li>`)}
        </ul>
      </details>
    </div>
  </section>`;
}

function renderRow(row: FailureRow, index: number, iterations: readonly number[]): Markup {
  const { diagnostic, inBaseline, changes } = row;
  const place = failurePlace(diagnostic);
  const said = `${place === '' ? '' : `${place} `}${firstLine(diagnostic.message, 160)}`;
  return html`<tr>
    <th scope="row" id="${anchors.row(index)}" title="${said}">
      <span>${cutText(failureName(diagnostic), 120)}</span>
    </th>
    <td class="${inBaseline ? 'same' : ''}">${inBaseline && 'failing'}</td>
    ${iterations.map((iteration) => {
      const change = changes.get(iteration);
      return change === undefined ? html`<td></td>` : html`<td class="${change}">${change}</td>`;
    })}
  </tr>`;
}

function nameOf({ diagnostic }: FailureRow): string {
  const place = failurePlace(diagnostic);
  return `${diagnostic.check}: ${cutText(failureName(diagnostic), 160)}${place === '' ? '' : ` (${place})`}`;
}

/** `in the baseline; fixed in attempt 2; new in 5; same in 6, 7`. */
function storyOf({ inBaseline, changes }: FailureRow, iterations: readonly number[]): string {
  const parts = (['new', 'same', 'fixed'] as const).flatMap((change) => {
    const where = iterations.filter((iteration) => changes.get(iteration) === change);
    return where.length === 0 ? [] : [`${change} in attempt ${ranges(where)}`];
  });
  return [...(inBaseline ? ['in the baseline'] : []), ...parts].join('; ');
}

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
