import type { Lesson } from '../../schema/generated.ts';
import type { RecalledLesson } from '../data/memory-record.ts';
import { renderCount } from '../count.ts';
import { anchors } from './anchors.ts';
import { signed, withCode } from './figures.ts';
import type { AttemptView, LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';

const MAX_LESSONS = 60;
const OPEN_LESSONS = 5;

/** Renders the memory that attempts used, its effects, and the lessons that the loop added. */
export function renderMemory({ record, attempts }: LoopView): Markup {
  const { recalled, learned } = record.memory;
  const informed = attempts.filter(({ attempt }) => {
    const memory = attempt.trajectory?.memory;
    return attempt.window.length > 0 || (memory !== undefined && memory.lessons.length + memory.insights > 0);
  });
  return html`<section id="memory" aria-labelledby="memory-h">
    <h2 id="memory-h">Memory</h2>
    <div class="card">
      <h3>Memory used, and its effect</h3>
      ${
        informed.length === 0
          ? html`<p>No attempt used memory.</p>`
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
        recalled.length > 0 &&
        html`<h3>Lessons used</h3>
          <ul class="lessons">
            ${recalled.slice(0, MAX_LESSONS).map(renderRecalled)}
          </ul>
          ${recalled.length > MAX_LESSONS && html`<p class="note">${renderCount(recalled.length - MAX_LESSONS, 'more lesson')} left out.</p>`}`
      }
      ${
        learned.length > 0 &&
        html`<h3>Lessons learned from this loop</h3>
          <ul class="lessons">
            ${learned.slice(0, OPEN_LESSONS).map(renderLearned)}
          </ul>
          ${
            learned.length > OPEN_LESSONS &&
            html`<details class="more">
              <summary>${renderCount(learned.length - OPEN_LESSONS, 'more lesson')}</summary>
              <ul class="lessons">
                ${learned.slice(OPEN_LESSONS, MAX_LESSONS).map(renderLearned)}
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
    <td>${gain === null ? 'not evaluated' : signed(gain)}</td>
  </tr>`;
}

function renderRecalled({ id, lesson, attempts, effects }: RecalledLesson): Markup {
  const attemptsWith = (effect: 'support' | 'contradiction'): Markup[] =>
    effects.filter((one) => one.effect === effect).map(({ iteration }) => attemptLink(iteration));
  const [good, bad] = [attemptsWith('support'), attemptsWith('contradiction')];
  return html`<li>
    <p>${withCode(lesson?.text ?? `${id}, which is no longer stored`)}</p>
    <p class="note">
      used by attempt
      ${joined(attempts.map(attemptLink))}${good.length > 0 && html` · <span class="good">confirmed in ${joined(good)}</span>`}${bad.length > 0 && html` · <span class="bad">contradicted in ${joined(bad)}</span>`}${good.length + bad.length === 0 && ' · no effect observed'}${lesson !== null && html` · in all loops +${lesson.support} −${lesson.contradiction}, ${lesson.status}`}
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
