import type { LoopRecord } from '../data/loop-record.ts';
import { renderAttempt } from './attempt-section.ts';
import { renderDocument } from './document.ts';
import { renderFailureMatrix } from './failures-section.ts';
import { counted, firstLine } from './figures.ts';
import { viewLoop, type AttemptView, type LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';
import { renderMemory } from './memory-section.ts';
import { headlineOf, renderOverview } from './overview.ts';
import { renderReward } from './reward-section.ts';
import { renderSpending } from './spending-section.ts';
import { renderTampering } from './tampering-section.ts';

/** Lines of diff in the page, and in one attempt: the best attempt comes first, then the newest. */
const MOST_LINES = 4_000;
const MOST_LINES_EACH = 1_500;
/** Where a loop has more attempts than this, only the best one is open at first. */
const FEW = 3;

/** One loop as a page that stands for itself: HTML, with nothing to load. `version` is ralph's own. */
export function renderLoopPage(record: LoopRecord, version: string): string {
  const view = viewLoop(record);
  const main = html`${renderOverview(view)} ${renderReward(view)} ${renderFailureMatrix(view)}
  ${renderAttempts(view)} ${renderTampering(view)} ${renderMemory(view)} ${renderSpending(view)}`;
  return renderDocument({
    title: `${headlineOf(view)}: ${firstLine(record.task, 80)}`,
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
  });
}

function renderAttempts(view: LoopView): Markup {
  const { attempts, record } = view;
  const best = record.verdict.best_iteration;
  const rendered = new Map<AttemptView, Markup>();
  let room = MOST_LINES;
  for (const shown of byInterest(attempts, best)) {
    const { iteration } = shown.attempt;
    const isOpen = iteration === best || attempts.length <= FEW;
    const maxLines = Math.min(room, MOST_LINES_EACH);
    const { markup, lines } = renderAttempt({ view, shown, maxLines, isOpen });
    room -= lines;
    rendered.set(shown, markup);
  }
  return html`<section id="attempts" aria-labelledby="attempts-h">
    <h2 id="attempts-h">${counted(attempts.length, 'attempt')}</h2>
    ${attempts.length === 0 && html`<div class="card"><p>No attempt was made.</p></div>`}${attempts.map((shown) => rendered.get(shown)!)}
  </section>`;
}

/** The best, then the newest first: what there is no room for is the least asked for. */
function byInterest(attempts: readonly AttemptView[], best: number | null): AttemptView[] {
  const first = attempts.filter(({ attempt }) => attempt.iteration === best);
  return [...first, ...attempts.filter((shown) => !first.includes(shown)).reverse()];
}
