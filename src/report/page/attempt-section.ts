import { renderDuration } from '../../platform/text/duration.ts';
import { renderAction } from '../action-line.ts';
import { renderCount } from '../count.ts';
import { countChanges } from '../failure-matrix.ts';
import { renderUsage } from '../usage.ts';
import { anchors } from './anchors.ts';
import { MAX_FAILURES, renderChecks, renderFailures } from './attempt-results.ts';
import { renderDiff } from './diff-view.ts';
import { createEvidence } from './evidence.ts';
import { cutText, facts, firstLine, signed } from './figures.ts';
import type { AttemptView, LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';
import { renderReflection } from './reflection.ts';

/** Limits for one attempt, so that hundreds of them fit into a page. */
const MAX_ACTIONS = 60;
const MESSAGE_CHARS = 600;

/** Options of `renderAttempt`. */
export interface AttemptRequest {
  readonly view: LoopView;
  readonly shown: AttemptView;
  /** Maximum lines of its diff. */
  readonly maxLines: number;
  readonly isOpen: boolean;
}

/** Renders one attempt: actions, diff, failures, reflection. `lines`: the number of diff lines shown. */
export function renderAttempt({ view, shown, maxLines, isOpen }: AttemptRequest): {
  readonly markup: Markup;
  readonly lines: number;
} {
  const { attempt, files, start } = shown;
  const { iteration } = attempt;
  const failures = shown.failures.slice(0, MAX_FAILURES);
  const evidence = createEvidence({ iteration, files: files ?? [], failures });
  // Texts that link to lines are rendered before the diff, which gives ids only to linked lines.
  const reflection = renderReflection(attempt, evidence);
  const message = html`${evidence.link(cutText(attempt.trajectory?.message ?? '', MESSAGE_CHARS))}`;
  const failed = renderFailures(view, shown, failures);
  const diff = renderDiff({
    iteration,
    files: files ?? [],
    linked: evidence.lines,
    maxLines,
    start: { iteration: start?.attempt.iteration ?? 0, files: start?.files ?? [] },
  });
  const markup = html`<details class="attempt" id="${anchors.attempt(iteration)}" ${isOpen && html` open`}>
    <summary>${renderSummary(view, shown)}</summary>
    <div class="body">
      <div class="did">
        ${attempt.trajectory?.message && html`<p class="message">${message}</p>`} ${renderTampering(shown)}
        <h4>Change against the base</h4>
        ${renderStart(shown)}
        ${diff.markup}${diff.hidden > 0 && html`<p class="note">${renderCount(diff.hidden, 'line')} left out; the full diff is in <code>${attempt.patch?.path}</code>.</p>`}${noDiff(shown)}
        ${renderActions(shown)}
      </div>
      <div class="judged">${renderChecks(view, shown)} ${reflection} ${failed}</div>
    </div>
  </details>`;
  return { markup, lines: diff.lines };
}

function renderSummary({ record }: LoopView, { attempt, gain }: AttemptView): Markup {
  const { iteration, evaluation, best, tampering, trajectory, durationMs } = attempt;
  const counts = countChanges(record.baseline, record.attempts, iteration);
  const { fixed, same, new: fresh, unseen, passing } = counts;
  const isFinal = record.verdict.best_iteration === iteration;
  const tone = evaluation === null ? 'none' : evaluation.passed ? 'good' : 'bad';
  return html`<h3>Attempt ${iteration}</h3>
    <span class="reward ${tone}">${evaluation === null ? 'not evaluated' : evaluation.reward.toFixed(3)}</span
    >${
      gain !== null &&
      html`<span class="gain ${gain > 0.0005 ? 'good' : gain < -0.0005 ? 'bad' : ''}">${signed(gain)}</span>`
    }${isFinal ? html`<span class="tag good">best</span>` : best && html`<span class="tag">best so far</span>`}${
      tampering.length > 0 && html`<span class="tag warn">refused ${tampering.length}</span>`
    }
    <span class="counts"
      ><span class="fixed">${fixed} gone</span> <span class="same">${same} same</span>
      <span class="new">${fresh} new</span
      >${passing > 0 && html` <span>${passing} passing with the code as it was</span>`}${unseen > 0 && html` <span>${unseen} not reported again</span>`}</span
    >
    ${durationMs !== null && html`<span class="time">${renderDuration(durationMs)}</span>`}
    <span class="line">${firstLine(trajectory?.message || trajectory?.strategy || '', 160)}</span>`;
}

function renderStart({ start, attempt }: AttemptView): Markup {
  const window =
    attempt.window.length === 0
      ? ''
      : ` It used the reflections on ${attempt.window.length === 1 ? 'attempt' : 'attempts'} ${attempt.window.join(', ')}.`;
  return start === undefined
    ? html`<p class="note">It started from the base.${window}</p>`
    : html`<p class="note">
        It started from
        <a href="#${anchors.attempt(start.attempt.iteration)}">attempt ${start.attempt.iteration}</a>;
        inherited lines are paler.${window}
      </p>`;
}

function noDiff({ files, attempt }: AttemptView): Markup | null {
  if (attempt.patch === null) return html`<p class="note">The patch is not stored.</p>`;
  if (files === null)
    return html`<p class="note">The patch <code>${attempt.patch.path}</code> cannot be read.</p>`;
  return files.length === 0 ? html`<p class="note">The attempt changed nothing.</p>` : null;
}

function renderTampering({ attempt }: AttemptView): Markup | null {
  if (attempt.tampering.length === 0) return null;
  return html`<div class="callout warn">
    <h4>Refused</h4>
    <ul>
      ${attempt.tampering.map(
        ({ kind, file, detail }) =>
          html`<li>
            ${detail}
            <span class="tag">${kind.replaceAll('_', ' ')}</span>${file !== '' && html` <code>${file}</code>`}
          </li>`,
      )}
    </ul>
  </div>`;
}

function renderActions({ attempt }: AttemptView): Markup | null {
  const { trajectory, iteration } = attempt;
  if (trajectory === null || trajectory.actions.length === 0) return null;
  const hidden = trajectory.actions.length - MAX_ACTIONS;
  const { usage, outcome, strategy, rationale, ruled_out: ruledOut } = trajectory;
  return html`<details class="more">
    <summary>${renderCount(trajectory.actions.length, 'action')}</summary>
    <ol class="actions" start="0">
      ${trajectory.actions.slice(0, MAX_ACTIONS).map(
        (action, index) =>
          html`<li id="${anchors.action(iteration, index)}">
            <span class="tag">${action.type.replaceAll('_', ' ')}</span>
            ${cutText(renderAction(action), 400)}
          </li>`,
      )}
    </ol>
    ${hidden > 0 && html`<p class="note">${renderCount(hidden, 'more action')} left out.</p>`}
    ${facts([
      ['Outcome, by the actor', outcome.replaceAll('_', ' ')],
      ['Strategy', cutText(strategy, 600)],
      ['Rationale', cutText(rationale, 1_500)],
      ['Edits tried', ruledOut.tried > 0 ? String(ruledOut.tried) : null],
      ['Usage', renderUsage(usage)],
    ])}
  </details>`;
}
