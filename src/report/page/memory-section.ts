import type { Lesson } from '../../schema/generated.ts';
import type { ShownLessonRecord } from '../data/memory-record.ts';
import { anchors } from './anchors.ts';
import { counted, signed, withCode } from './figures.ts';
import type { AttemptView, LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';

const MOST_LESSONS = 60;
const SHOWN_AT_ONCE = 5;

/** What attempts were told of memory, what came of it, and what the loop gave back. */
export function renderMemory({ record, attempts }: LoopView): Markup {
  const { told, learned } = record.memory;
  const informed = attempts.filter(({ attempt }) => {
    const memory = attempt.trajectory?.memory;
    return attempt.window.length > 0 || (memory !== undefined && memory.lessons.length + memory.insights > 0);
  });
  return html`<section id="memory" aria-labelledby="memory-h">
    <h2 id="memory-h">Memory</h2>
    <div class="card">
      <h3>Told, and what came of it</h3>
      ${
        informed.length === 0
          ? html`<p>No attempt was told anything of earlier ones.</p>`
          : html`<div class="scroll tall" tabindex="0" role="group" aria-label="Memory by attempt">
              <table class="figures">
                <thead>
                  <tr>
                    <th scope="col">Attempt</th>
                    <th scope="col" class="left">Reflections of</th>
                    <th scope="col">Lessons</th>
                    <th scope="col">Insights</th>
                    <th scope="col">Playbook</th>
                    <th scope="col">Reward</th>
                  </tr>
                </thead>
                <tbody>
                  ${informed.map(renderInformed)}
                </tbody>
              </table>
            </div>`
      }
      ${
        told.length > 0 &&
        html`<h3>Lessons that were told</h3>
          <ul class="lessons">
            ${told.slice(0, MOST_LESSONS).map(renderTold)}
          </ul>
          ${told.length > MOST_LESSONS && html`<p class="note">${counted(told.length - MOST_LESSONS, 'more lesson')} left out.</p>`}`
      }
      ${
        learned.length > 0 &&
        html`<h3>Lessons that this loop brought</h3>
          <ul class="lessons">
            ${learned.slice(0, SHOWN_AT_ONCE).map(renderLearned)}
          </ul>
          ${
            learned.length > SHOWN_AT_ONCE &&
            html`<details class="more">
              <summary>${counted(learned.length - SHOWN_AT_ONCE, 'more lesson')}</summary>
              <ul class="lessons">
                ${learned.slice(SHOWN_AT_ONCE, MOST_LESSONS).map(renderLearned)}
              </ul>
            </details>`
          }`
      }
    </div>
  </section>`;
}

function renderInformed({ attempt, gain }: AttemptView): Markup {
  const memory = attempt.trajectory?.memory;
  return html`<tr>
    <th scope="row">${attemptLink(attempt.iteration)}</th>
    <td class="left">
      ${attempt.window.length === 0 ? 'none' : html`attempt ${joined(attempt.window.map(attemptLink))}`}
    </td>
    <td>${memory?.lessons.length ?? 0}</td>
    <td>${memory?.insights ?? 0}</td>
    <td>${memory?.playbook === true ? 'yes' : 'no'}</td>
    <td>${gain === null ? 'not judged' : signed(gain)}</td>
  </tr>`;
}

function renderTold({ id, lesson, attempts, effects }: ShownLessonRecord): Markup {
  const seen = (effect: 'support' | 'contradiction'): Markup[] =>
    effects.filter((one) => one.effect === effect).map(({ iteration }) => attemptLink(iteration));
  const [good, bad] = [seen('support'), seen('contradiction')];
  return html`<li>
    <p>${withCode(lesson?.text ?? `${id}, which is no longer stored`)}</p>
    <p class="note">
      told to attempt
      ${joined(attempts.map(attemptLink))}${good.length > 0 && html` · <span class="good">borne out in ${joined(good)}</span>`}${bad.length > 0 && html` · <span class="bad">contradicted in ${joined(bad)}</span>`}${good.length + bad.length === 0 && ' · no effect was seen'}${lesson !== null && html` · in all loops +${lesson.support} −${lesson.contradiction}, ${lesson.status}`}
    </p>
  </li>`;
}

function renderLearned({ text, status, type, status_reason: reason }: Lesson): Markup {
  return html`<li>
    <p>${withCode(text)}</p>
    <p class="note">
      <span class="tag">${type.replaceAll('_', ' ')}</span>
      <span class="tag">${status}</span>${reason !== undefined && html` ${reason}`}
    </p>
  </li>`;
}

function attemptLink(iteration: number): Markup {
  return html`<a href="#${anchors.attempt(iteration)}">${iteration}</a>`;
}

function joined(parts: readonly Markup[]): Markup[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [html`, `, part]));
}
