import type { CheckResult, Diagnostic } from '../../schema/generated.ts';
import { renderCount } from '../count.ts';
import { failureName, failurePlace } from '../failure-matrix.ts';
import { renderCheckResult } from '../receipt.ts';
import { anchors } from './anchors.ts';
import { bar, cutText, facts, firstLine } from './figures.ts';
import { partClass, type AttemptView, type LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';

/** Maximum failures that are shown for one attempt. */
export const MAX_FAILURES = 40;
/** With more attempts, unchanged failures are shown without values. */
const MANY_ATTEMPTS = 20;
const OUTPUT_CHARS = 1_500;

/** Renders the results of the checks after an attempt, with the output of failed ones. */
export function renderChecks({ checks }: LoopView, { attempt }: AttemptView): Markup | null {
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
                <td class="${check.status}">${renderCheckResult(check)}</td>
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

/** Renders the remaining and the fixed failures of an attempt; `failures` are the shown ones, at most `MAX_FAILURES`. */
export function renderFailures(
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
            ${renderFailure(failure, { isNew: change === 'new', isShort: attempts.length > MANY_ATTEMPTS && change === 'same' })}
          </li>`;
        })}
      </ul>
      ${hidden > 0 && html`<p class="note">${renderCount(hidden, 'more failure')} left out.</p>`}`
  }${
    fixed.length > 0 &&
    html`<h4>Gone</h4>
      <ul class="failures">
        ${fixed
          .slice(0, MAX_FAILURES)
          .map(
            ({ diagnostic }) =>
              html`<li><span class="mark fixed">gone</span> ${failureName(diagnostic)}</li>`,
          )}
      </ul>
      ${fixed.length > MAX_FAILURES && html`<p class="note">${renderCount(fixed.length - MAX_FAILURES, 'more failure')} gone.</p>`}`
  }`;
}

/** Renders a failure with its expected and received values, open for a new failure, left out for a short one. */
function renderFailure(
  failure: Diagnostic,
  { isNew, isShort }: { readonly isNew: boolean; readonly isShort: boolean },
): Markup {
  const { test_id: test, message, expected, received } = failure;
  const place = failurePlace(failure);
  const text = test === undefined ? null : html`<p class="said">${firstLine(message)}</p>`;
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
  return html`${failureName(failure)}${place !== '' && html` <code class="place">${place}</code>`}${text}${compared}`;
}
