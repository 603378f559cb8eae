import { anchors } from './anchors.ts';
import type { LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';

const MAX_ROWS = 200;

/** Renders the tampering that was found, and the reaction to it. */
export function renderTampering({ attempts }: LoopView): Markup {
  const found = attempts.flatMap(({ attempt }) =>
    attempt.tampering.map((tampering) => ({ iteration: attempt.iteration, ...tampering })),
  );
  const body =
    found.length === 0
      ? html`<p>No tampering was found.</p>`
      : html`<div class="scroll tall" tabindex="0" role="group" aria-label="Refused edits">
            <table class="figures">
              <thead>
                <tr>
                  <th scope="col">Attempt</th>
                  <th scope="col" class="left">Kind</th>
                  <th scope="col" class="left">File</th>
                  <th scope="col" class="left">Reaction</th>
                </tr>
              </thead>
              <tbody>
                ${found.slice(0, MAX_ROWS).map(
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
          ${found.length > MAX_ROWS && html`<p class="note">${found.length - MAX_ROWS} more left out.</p>`}`;
  return html`<section id="tampering" aria-labelledby="tampering-h">
    <h2 id="tampering-h">Tampering</h2>
    <div class="card">${body}</div>
  </section>`;
}
