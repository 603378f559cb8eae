import type { Analysis, AnalysisComparison } from '../../schema/generated.ts';
import { renderCount } from '../count.ts';
import { bar, cutText, signed, withCode } from './figures.ts';
import { html, type Markup } from './markup.ts';
import { renderShare } from './share.ts';

const MAX_LESSONS = 10;

/** Renders lessons with their use, and loops with and without memory compared. */
export function renderMemoryUse({ lessons, memory, familiar }: Analysis): Markup {
  return html`${
    lessons.lessons > 0 &&
    html`<h3>Lessons</h3>
      <p>
        ${renderCount(lessons.lessons, 'lesson')}; ${renderCount(lessons.attempts_told, 'attempt')} used any.
        Used in a later loop: ${renderShare(lessons.reused)}. Effects that confirm a lesson:
        ${renderShare(lessons.helped)}.
      </p>
      <ul class="lessons">
        ${lessons.most_told.slice(0, MAX_LESSONS).map(
          ({ text, told, support, contradiction, status }) =>
            html`<li>
              <p>${withCode(cutText(text, 600))}</p>
              <p class="note">
                used ${renderCount(told, 'time')} · <span class="good">+${support}</span>
                <span class="bad">−${contradiction}</span> · ${status}
              </p>
            </li>`,
        )}
      </ul>`
  }${renderComparison('Loops with memory compared with loops without', memory)}${renderComparison('Known failures compared with new ones', familiar)}`;
}

/** True if both sides of a comparison have loops. */
export function isComparable({ with: one, without: two }: AnalysisComparison): boolean {
  return one.success.n > 0 && two.success.n > 0;
}

function renderComparison(title: string, compared: AnalysisComparison): Markup | null {
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
      This is not an experiment: a difference may have other causes.
      ${few || difference === null ? 'Too few loops to compare.' : `Difference ${signed(difference)}${low === null || high === null ? '' : ` (95 %: ${signed(low)} to ${signed(high)})`}.`}
    </p>
    <div class="scroll" tabindex="0" role="group" aria-label="${title}">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Loops</th>
            <th scope="col">Passed</th>
            <th scope="col" class="wide"><span class="hidden">Share passed as a bar</span></th>
            <th scope="col">Attempts to success</th>
          </tr>
        </thead>
        <tbody>
          ${row('with', one)}${row('without', two)}
        </tbody>
      </table>
    </div>`;
}
