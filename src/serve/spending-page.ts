import { renderDuration } from '../platform/text/duration.ts';
import { renderCount } from '../report/count.ts';
import { html } from '../report/page/markup.ts';
import { renderUsage } from '../report/usage.ts';
import { sumUsage } from '../schema/usage.ts';
import { loopLink, renderPage, renderTable, type Frame } from './frame.ts';
import type { ShownLoop } from './local-loops.ts';

const MOST_LOOPS = 500;

/** Renders what the loops that have ended spent, by month and by loop. */
export function renderSpending(frame: Frame, loops: readonly ShownLoop[]): string {
  const ended = loops.flatMap(({ state }) =>
    state.verdict === undefined ? [] : { state, verdict: state.verdict },
  );
  const months = [...Map.groupBy(ended, ({ state }) => state.started_at.slice(0, 7))];
  const usageOf = (some: typeof ended): string =>
    renderUsage(sumUsage(some.map(({ verdict }) => verdict.usage))) || 'no model was called';
  const timeOf = (some: typeof ended): string =>
    renderDuration(some.reduce((sum, { verdict }) => sum + verdict.duration_ms, 0));
  const open = loops.length - ended.length;
  const main = html`<p>${renderCount(ended.length, 'loop')}: ${usageOf(ended)}; ${timeOf(ended)}.</p>
    ${open > 0 && html`<p class="note">${renderCount(open, 'loop')} without a verdict not counted; the page of a loop has its spending so far.</p>`}
    <h2>By month</h2>
    ${renderTable(
      'Spending by month',
      ['Month', 'Loops', 'Models', 'Time'],
      months.map(([month, some]) => [month, some.length, usageOf(some), timeOf(some)]),
    )}
    <h2>By loop</h2>
    ${renderTable(
      'Spending by loop',
      ['Loop', 'Actor', 'Models', 'Time'],
      ended
        .slice(0, MOST_LOOPS)
        .map((one) => [loopLink(one.state.loop_id), one.state.actor, usageOf([one]), timeOf([one])]),
    )}
    ${ended.length > MOST_LOOPS && html`<p class="note">${renderCount(ended.length - MOST_LOOPS, 'earlier loop')} left out.</p>`}`;
  return renderPage(frame, { path: '/spending', title: 'Spending', main });
}
