import type { LoopRecord } from '../data/loop-record.ts';
import { renderCount } from '../count.ts';
import { renderAttempt } from './attempt-section.ts';
import { renderDocument, type ServedParts } from './document.ts';
import { renderFailureMatrix } from './failures-section.ts';
import { firstLine } from './figures.ts';
import { viewLoop, type AttemptView, type LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';
import { renderMemory } from './memory-section.ts';
import { renderHeadline, renderOverview } from './overview.ts';
import { renderReward } from './reward-section.ts';
import { renderSpending } from './spending-section.ts';
import { renderTampering } from './tampering-section.ts';

/** Maximum lines of diff in the page and in one attempt; the best attempt is served first, then the newest ones. */
const MAX_LINES = 4_000;
const MAX_LINES_EACH = 1_500;
/** With more attempts, only the best one is open at first. */
const FEW_ATTEMPTS = 3;

/** Renders one loop as a self-contained HTML page. `version`: ralph's version; `served`: for `ralph serve`. */
export function renderLoopPage(record: LoopRecord, version: string, served?: ServedParts): string {
  const view = viewLoop(record);
  const main = html`${renderOverview(view)} ${renderReward(view)} ${renderFailureMatrix(view)}
  ${renderAttempts(view)} ${renderTampering(view)} ${renderMemory(view)} ${renderSpending(view)}`;
  return renderDocument({
    title: `${renderHeadline(view)}: ${firstLine(record.task, 80)}`,
    sections: [
      ['verdict', 'Verdict'],
      ['reward', 'Reward'],
      ['failures', 'Failures'],
      ['attempts', 'Attempts'],
      ['tampering', 'Tampering'],
      ['memory', 'Memory'],
      ['cost', 'Cost'],
    ],
    main,
    version,
    hasAttempts: record.attempts.length > 0,
    ...(served !== undefined && { served }),
  });
}

function renderAttempts(view: LoopView): Markup {
  const { attempts, record } = view;
  const best = record.verdict.best_iteration;
  const rendered = new Map<AttemptView, Markup>();
  let room = MAX_LINES;
  for (const shown of byInterest(attempts, best)) {
    const { iteration } = shown.attempt;
    const isOpen = iteration === best || attempts.length <= FEW_ATTEMPTS;
    const maxLines = Math.min(room, MAX_LINES_EACH);
    const { markup, lines } = renderAttempt({ view, shown, maxLines, isOpen });
    room -= lines;
    rendered.set(shown, markup);
  }
  return html`<section id="attempts" aria-labelledby="attempts-h">
    <h2 id="attempts-h">${renderCount(attempts.length, 'attempt')}</h2>
    ${attempts.length === 0 && html`<div class="card"><p>No attempt was made.</p></div>`}${attempts.map((shown) => rendered.get(shown)!)}
  </section>`;
}

/** The best attempt first, then the newest ones. */
function byInterest(attempts: readonly AttemptView[], best: number | null): AttemptView[] {
  const first = attempts.filter(({ attempt }) => attempt.iteration === best);
  return [...first, ...attempts.filter((shown) => !first.includes(shown)).reverse()];
}
