import { cutText, firstLine, moment } from '../report/page/figures.ts';
import { html } from '../report/page/markup.ts';
import type { FleetState } from './fleet-state.ts';
import { renderPage, renderTable, type Frame } from './frame.ts';
import { renderFleetLive } from './loops-page.ts';

/** Number of jobs on the page. */
export const SHOWN_JOBS = 200;

/** Renders queue, workers and budgets of the fleet, or the sentence that says why they cannot be read. */
export function renderFleet(frame: Frame, fleet: FleetState | string): string {
  const main =
    typeof fleet === 'string'
      ? html`<div class="callout warn" role="note"><p>${fleet}</p></div>`
      : html`<p class="note">
            Running loops, jobs, workers and budgets are shown as they change, with JavaScript; without it
            they are those of the moment when the page was loaded.
          </p>
          ${renderTable('Jobs by state', ['State', 'Jobs'], Object.entries(fleet.counts))}
          <div data-part="Pauses">
            ${fleet.pauses.map(({ kind, name }) => html`<p class="note">Paused: ${kind === 'all' ? 'the whole queue' : `${kind} ${name}`}</p>`)}
          </div>
          <h2>Running loops</h2>
          ${renderFleetLive()}
          <h2>Workers</h2>
          ${renderTable(
            'Workers',
            ['Worker', 'Host', 'State', 'Loops', 'Labels', 'Last seen'],
            fleet.workers.map((worker) => [
              worker.name,
              worker.host,
              worker.state,
              `${worker.running} of ${worker.concurrency}`,
              worker.labels.join(', '),
              worker.seen,
            ]),
          )}
          <h2>Jobs</h2>
          ${renderTable(
            'The newest jobs',
            ['Job', 'State', 'Repository', 'Reward', 'Cost', 'Submitted'],
            fleet.jobs.map((job) => [
              html`${cutText(firstLine(job.task), 160)}<code>${job.id}</code>${job.reason !== null && html`<span class="note">${cutText(job.reason, 300)}</span>`}`,
              job.state,
              `${job.repository}${job.ref === '' ? '' : `#${job.ref}`}`,
              job.reward === null ? '' : job.reward.toFixed(3),
              job.cost_usd === null ? '' : `$${Number(job.cost_usd).toFixed(4)}`,
              moment(job.submitted_at) ?? '',
            ]),
          )}
          <h2>Budgets</h2>
          ${renderTable(
            'Budgets',
            [
              'Budget',
              'Dollars spent',
              'Dollars reserved',
              'Dollars at most',
              'Tokens spent',
              'Tokens at most',
            ],
            fleet.pools.map((pool) => [
              `${pool.kind} ${pool.name}`,
              Number(pool.spent_usd).toFixed(4),
              Number(pool.reserved_usd).toFixed(4),
              pool.cost_usd ?? 'no limit',
              pool.spent_tokens,
              pool.tokens ?? 'no limit',
            ]),
          )}`;
  return renderPage(frame, { path: '/fleet', title: 'Fleet', main });
}
