import type { CheckResult, Diagnostic } from '../../schema/generated.ts';
import { renderDuration } from '../../platform/text/duration.ts';
import { renderAction } from '../action-line.ts';
import { countChanges, failureName, failurePlace } from '../failure-matrix.ts';
import { countOf } from '../receipt.ts';
import { renderUsage } from '../usage.ts';
import { anchors } from './anchors.ts';
import { renderDiff } from './diff-view.ts';
import { evidenceOf } from './evidence.ts';
import { bar, counted, cutText, facts, firstLine, signed } from './figures.ts';
import { partClass, type AttemptView, type LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';
import { renderReflection } from './reflection.ts';

/** Bounds of one attempt, so that hundreds of them fit into a page. */
const MOST_FAILURES = 40;
const MOST_ACTIONS = 60;
/** Of so many attempts each shows a failure that it took over by its name alone. */
const MANY = 20;
const MESSAGE_CHARS = 600;
const OUTPUT_CHARS = 1_500;

export interface AttemptRequest {
  readonly view: LoopView;
  readonly shown: AttemptView;
  /** Lines of its diff that may be shown. */
  readonly maxLines: number;
  readonly isOpen: boolean;
}

/** One attempt: what it did, the change, what failed behind it, its reflection. Gives the lines of diff that it shows too. */
export function renderAttempt({ view, shown, maxLines, isOpen }: AttemptRequest): {
  readonly markup: Markup;
  readonly lines: number;
} {
  const { attempt, files, start } = shown;
  const { iteration } = attempt;
  const failures = shown.failures.slice(0, MOST_FAILURES);
  const evidence = evidenceOf({ iteration, files: files ?? [], failures });
  // First what links to lines, so that the diff knows which need an id.
  const reflection = renderReflection(attempt, evidence);
  const message = html`${evidence.link(cutText(attempt.trajectory?.message ?? '', MESSAGE_CHARS))}`;
  const failed = renderFailures(view, shown, failures);
  const diff = renderDiff({
    ...{ iteration, files: files ?? [], linked: evidence.lines, maxLines },
    start: { iteration: start?.attempt.iteration ?? 0, files: start?.files ?? [] },
  });
  const markup = html`<details class="attempt" id="${anchors.attempt(iteration)}" ${isOpen && html` open`}>
    <summary>${renderSummary(view, shown)}</summary>
    <div class="body">
      <div class="did">
        ${attempt.trajectory?.message && html`<p class="message">${message}</p>`} ${renderTampering(shown)}
        <h4>Change against the base</h4>
        ${renderStart(shown)}
        ${diff.markup}${diff.hidden > 0 && html`<p class="note">${counted(diff.hidden, 'line')} of this change left out: all of it is in <code>${attempt.patch?.path}</code>.</p>`}${noDiff(shown)}
        ${renderActions(shown)}
      </div>
      <div class="judged">${renderChecks(view, shown)} ${reflection} ${failed}</div>
    </div>
  </details>`;
  return { markup, lines: diff.lines };
}

function renderSummary({ record, rows }: LoopView, { attempt, gain }: AttemptView): Markup {
  const { iteration, evaluation, best, tampering, trajectory, durationMs } = attempt;
  const { fixed, same, new: fresh } = countChanges(rows, iteration);
  const isFinal = record.verdict.best_iteration === iteration;
  const tone = evaluation === null ? 'none' : evaluation.passed ? 'good' : 'bad';
  return html`<h3>Attempt ${iteration}</h3>
    <span class="reward ${tone}">${evaluation === null ? 'not judged' : evaluation.reward.toFixed(3)}</span>${
      gain !== null &&
      html`<span class="gain ${gain > 0.0005 ? 'good' : gain < -0.0005 ? 'bad' : ''}">${signed(gain)}</span>`
    }${isFinal ? html`<span class="tag good">best</span>` : best && html`<span class="tag">best so far</span>`}${
      tampering.length > 0 && html`<span class="tag warn">refused ${tampering.length}</span>`
    }
    <span class="counts"
      ><span class="fixed">${fixed} fixed</span> <span class="same">${same} same</span>
      <span class="new">${fresh} new</span></span
    >
    ${durationMs !== null && html`<span class="time">${renderDuration(durationMs)}</span>`}
    <span class="line">${firstLine(trajectory?.message || trajectory?.strategy || '', 160)}</span>`;
}

function renderStart({ start, attempt }: AttemptView): Markup {
  const told =
    attempt.window.length === 0
      ? ''
      : ` It was told the reflections of attempt ${attempt.window.join(', ')}.`;
  return start === undefined
    ? html`<p class="note">It went on from the base.${told}</p>`
    : html`<p class="note">
        It went on from
        <a href="#${anchors.attempt(start.attempt.iteration)}">attempt ${start.attempt.iteration}</a>; what it
        took over is paler.${told}
      </p>`;
}

function noDiff({ files, attempt }: AttemptView): Markup | null {
  if (attempt.patch === null) return html`<p class="note">Its patch is not stored.</p>`;
  if (files === null)
    return html`<p class="note">Its patch, <code>${attempt.patch.path}</code>, cannot be read.</p>`;
  return files.length === 0 ? html`<p class="note">It changed nothing.</p>` : null;
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
  const hidden = trajectory.actions.length - MOST_ACTIONS;
  const { usage, outcome, strategy, rationale, ruled_out: ruledOut } = trajectory;
  return html`<details class="more">
    <summary>${counted(trajectory.actions.length, 'action')}</summary>
    <ol class="actions" start="0">
      ${trajectory.actions.slice(0, MOST_ACTIONS).map(
        (action, index) =>
          html`<li id="${anchors.action(iteration, index)}">
            <span class="tag">${action.type.replaceAll('_', ' ')}</span>
            ${cutText(renderAction(action), 400)}
          </li>`,
      )}
    </ol>
    ${hidden > 0 && html`<p class="note">${counted(hidden, 'more action')} left out.</p>`}
    ${facts([
      ['Outcome, as the actor says', outcome.replaceAll('_', ' ')],
      ['Strategy', cutText(strategy, 600)],
      ['Rationale', cutText(rationale, 1_500)],
      ['Edits tried', ruledOut.tried > 0 ? String(ruledOut.tried) : null],
      ['Usage', renderUsage(usage)],
    ])}
  </details>`;
}

function renderChecks({ checks }: LoopView, { attempt }: AttemptView): Markup | null {
  if (attempt.evaluation === null) return null;
  return html`<h4>Checks</h4>
    <table class="receipt">
      <thead>
        <tr>
          <th scope="col">Check</th>
          <th scope="col">Result</th>
          <th scope="col"><abbr title="weight × score">Share</abbr></th>
        </tr>
      </thead>
      <tbody>
        ${attempt.evaluation.checks.map(
          (check) =>
            html`<tr>
                <th scope="row">
                  <span class="swatch ${partClass(checks, check.name)}"></span>${check.name}
                </th>
                <td class="${check.status}">${countOf(check)}</td>
                <td>
                  ${(check.weight * check.score).toFixed(3)}<span class="of">
                    of ${check.weight.toFixed(2)}</span
                  >
                </td>
              </tr>
              <tr class="bars">
                <td colspan="3">${bar(check.score, partClass(checks, check.name))}${renderOutput(check)}</td>
              </tr>`,
        )}
      </tbody>
    </table>`;
}

function renderOutput({ status, output, command, detail }: CheckResult): Markup | null {
  if (status === 'pass' || status === 'skip') return null;
  const end = output.trim().slice(-OUTPUT_CHARS);
  return html`<details class="more">
    <summary>${cutText(detail, 160)}</summary>
    <pre tabindex="0"><code>$ ${cutText(command, 400)}${end !== '' && `\n${end}`}</code></pre>
  </details>`;
}

function renderFailures(
  { rows, attempts }: LoopView,
  { attempt, failures: all }: AttemptView,
  failures: readonly Diagnostic[],
): Markup | null {
  const { iteration, evaluation } = attempt;
  if (evaluation === null) return null;
  const fixed = rows.filter(({ changes }) => changes.get(iteration) === 'fixed');
  const changeOf = (failure: Diagnostic): string => {
    const row = rows.find(
      ({ diagnostic, fingerprints }) =>
        diagnostic.check === failure.check && fingerprints.includes(failure.fingerprint),
    );
    return row?.changes.get(iteration) ?? 'new';
  };
  const hidden = all.length - failures.length;
  return html`${
    failures.length > 0 &&
    html`<h4>Still failing</h4>
      <ul class="failures">
        ${failures.map((failure, index) => {
          const change = changeOf(failure);
          return html`<li id="${anchors.failure(iteration, index)}">
            <span class="mark ${change}">${change}</span>
            ${renderFailure(failure, { isNew: change === 'new', isShort: attempts.length > MANY && change === 'same' })}
          </li>`;
        })}
      </ul>
      ${hidden > 0 && html`<p class="note">${counted(hidden, 'more failure')} left out.</p>`}`
  }${
    fixed.length > 0 &&
    html`<h4>Fixed</h4>
      <ul class="failures">
        ${fixed
          .slice(0, MOST_FAILURES)
          .map(
            ({ diagnostic }) =>
              html`<li><span class="mark fixed">fixed</span> ${failureName(diagnostic)}</li>`,
          )}
      </ul>
      ${fixed.length > MOST_FAILURES && html`<p class="note">${counted(fixed.length - MOST_FAILURES, 'more failure')} fixed.</p>`}`
  }`;
}

/** A failure with what was expected and received; a new one is open at once, a short one has neither. */
function renderFailure(
  failure: Diagnostic,
  { isNew, isShort }: { readonly isNew: boolean; readonly isShort: boolean },
): Markup {
  const { test_id: test, message, expected, received } = failure;
  const place = failurePlace(failure);
  const said = test === undefined ? null : html`<p class="said">${firstLine(message)}</p>`;
  const compared =
    isShort || (expected === undefined && received === undefined)
      ? null
      : html`<details class="more" ${isNew && html` open`}>
          <summary>expected and received</summary>
          ${facts([
            ['Expected', expected === undefined ? null : html`<code>${cutText(expected, 300)}</code>`],
            ['Received', received === undefined ? null : html`<code>${cutText(received, 300)}</code>`],
          ])}
        </details>`;
  return html`${failureName(failure)}${place !== '' && html` <code class="place">${place}</code>`}${said}${compared}`;
}
