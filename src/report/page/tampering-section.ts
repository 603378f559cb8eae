import { anchors } from './anchors.ts';
import type { LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';

const MOST_ROWS = 200;

/** What was tried against the verdict, and what was done about it. */
export function renderTampering({ attempts }: LoopView): Markup {
  const tried = attempts.flatMap(({ attempt }) =>
    attempt.tampering.map((tampering) => ({ iteration: attempt.iteration, ...tampering })),
  );
  const body =
    tried.length === 0
      ? html`<p>Nothing was tried against what the verdict rests on.</p>`
      : html`<div class="scroll tall" tabindex="0" role="group" aria-label="Refused edits">
            <table class="figures">
              <thead>
                <tr>
                  <th scope="col">Attempt</th>
                  <th scope="col" class="left">Kind</th>
                  <th scope="col" class="left">File</th>
                  <th scope="col" class="left">What was done</th>
                </tr>
              </thead>
              <tbody>
                ${tried.slice(0, MOST_ROWS).map(
                  ({ iteration, kind, file, detail }) =>
                    html`<tr>
                      <th scope="row"><a href="#${anchors.attempt(iteration)}">${iteration}</a></th>
                      <td class="left">${kind.replaceAll('_', ' ')}</td>
                      <td class="left"><code>${file}</code></td>
                      <td class="text">${detail}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>
          ${tried.length > MOST_ROWS && html`<p class="note">${tried.length - MOST_ROWS} more left out.</p>`}`;
  return html`<section id="tampering" aria-labelledby="tampering-h">
    <h2 id="tampering-h">Tampering</h2>
    <div class="card">${body}</div>
  </section>`;
}
