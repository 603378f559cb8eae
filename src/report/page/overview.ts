import type { CheckSummary } from '../../schema/generated.ts';
import { renderDuration } from '../../platform/text/duration.ts';
import { proofLines } from '../proof-lines.ts';
import { renderCheckResult } from '../receipt.ts';
import { renderUsage } from '../usage.ts';
import { anchors } from './anchors.ts';
import { at, cutText, facts, moment } from './figures.ts';
import { partClass, type LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';

/** Renders the top of a loop's page: verdict, reason, receipt and facts. */
export function renderOverview(view: LoopView): Markup {
  const { record } = view;
  const { verdict } = record;
  const best = verdict.best_iteration;
  return html`<section id="verdict" class="hero ${toneOf(view)}" aria-labelledby="verdict-h">
      <div class="said">
        <p class="eyebrow">${record.loopId}</p>
        <h1 id="verdict-h">${renderHeadline(view)}</h1>
        <p class="from-to">
          <span>${verdict.baseline_reward.toFixed(3)}</span> <span aria-hidden="true">→</span>
          <span class="hidden">to </span><strong>${verdict.reward.toFixed(3)}</strong>
          <span class="unit">reward</span>
        </p>
        <p class="reason">${cutText(verdict.reason, 1_200)}</p>
        ${renderDelivery(view)}
      </div>
      <div class="receipt-card">${renderReceiptBar(view)}</div>
    </section>
    ${facts([
      ['Task', cutText(record.task, 2_000)],
      ['Actor', record.model === null ? record.actor : `${record.actor}: ${record.model}`],
      [
        'Attempts',
        `${verdict.iterations}${record.maxIterations === null ? '' : ` of ${record.maxIterations}`}`,
      ],
      [
        'Best',
        best === null
          ? 'no attempt was better than the baseline'
          : html`<a href="#${anchors.attempt(best)}">attempt ${best}</a>`,
      ],
      ['Time', renderDuration(verdict.duration_ms)],
      ['Usage', renderUsage(verdict.usage) || 'no model was called'],
      ['Started', moment(record.startedAt)],
      ['Patch', verdict.patch === null ? null : html`<code>${verdict.patch}</code>`],
    ])}
    ${renderProof(view)} ${renderDamaged(view)}`;
}

/** The verdict as a heading. */
export function renderHeadline({ record }: Pick<LoopView, 'record'>): string {
  const { status, verdict } = record;
  if (status === 'running') return 'Running';
  if (verdict.verified) return status === 'nothing_to_do' ? 'Verified: nothing to do' : 'Verified';
  if (status === 'unproven') return 'Unproven';
  return `Not verified: ${status.replaceAll('_', ' ')}`;
}

function toneOf({ record: { status, verdict } }: LoopView): string {
  if (status === 'running' || status === 'interrupted' || status === 'unproven') return 'warn';
  return verdict.verified ? 'good' : 'bad';
}

const DELIVERED = {
  none: null,
  tree: 'The result was applied to the tree without a commit.',
  commit: 'The result was committed to the current branch.',
  branch: 'The result is on a separate branch.',
} as const;

function renderDelivery({ record: { verdict, delivery } }: LoopView): Markup | null {
  const text = delivery?.message ?? DELIVERED[verdict.applied];
  return text === null ? null : html`<p class="note">${cutText(text, 600)}</p>`;
}

/** Renders the receipt as a bar, with a segment for each check: its width is the weight, its filled part the score. */
function renderReceiptBar({ record: { verdict }, checks }: LoopView): Markup {
  if (verdict.checks.length === 0) return html`<p>There is no receipt, because no evaluation is stored.</p>`;
  let left = 0;
  const segments = verdict.checks.map(({ name, weight, score }) => {
    const [from, gap] = [left, 0.6];
    left += 100 * weight;
    const width = Math.max(0, 100 * weight - gap);
    return html`<rect class="rest" x="${at(from)}%" width="${at(width)}%" height="100%" rx="4" /><rect
        class="${partClass(checks, name)}"
        x="${at(from)}%"
        width="${at(width * score)}%"
        height="100%"
        rx="4"
      />`;
  });
  return html`<h2>Receipt</h2>
    <svg class="bar tall" aria-hidden="true" focusable="false">${segments}</svg>
    <table class="receipt">
      <thead>
        <tr>
          <th scope="col">Check</th>
          <th scope="col">Result</th>
          <th scope="col">Weight × score</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        ${verdict.checks.map((check) => receiptRow(check, partClass(checks, check.name)))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colspan="3">Reward</th>
          <td>${verdict.reward.toFixed(3)}</td>
        </tr>
      </tfoot>
    </table>`;
}

function receiptRow(check: CheckSummary, className: string): Markup {
  const { name, status, weight, score } = check;
  return html`<tr>
    <th scope="row"><span class="swatch ${className}"></span>${name}</th>
    <td class="${status}">${renderCheckResult(check)}</td>
    <td>${weight.toFixed(2)} × ${score.toFixed(3)}</td>
    <td>${(weight * score).toFixed(3)}</td>
  </tr>`;
}

function renderProof({ record: { verdict } }: LoopView): Markup | null {
  if (verdict.proof === undefined) return null;
  return html`<div class="callout ${verdict.verified ? 'good' : 'warn'}">
    <h2>Proof</h2>
    <ul>
      ${proofLines(verdict.proof).map((text) => html`<li>${cutText(text, 600)}</li>`)}
    </ul>
  </div>`;
}

function renderDamaged({ record: { damaged } }: LoopView): Markup | null {
  if (damaged.length === 0) return null;
  return html`<div class="callout warn" role="note">
    <h2>Unreadable files</h2>
    <ul>
      ${damaged.slice(0, 50).map(({ path, problem }) => html`<li><code>${path}</code> ${cutText(problem, 400)}</li>`)}
    </ul>
  </div>`;
}
