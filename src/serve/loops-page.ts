import { renderCount } from '../report/count.ts';
import { cutText, firstLine, moment } from '../report/page/figures.ts';
import { html, type Markup } from '../report/page/markup.ts';
import { loopLink, renderPage, renderTable, type Frame } from './frame.ts';
import { rewardOf } from './live-events.ts';
import type { ShownLoop, ShownLoops } from './local-loops.ts';

const MOST_LOOPS = 500;

/** Renders the first page: running loops with their steps as they happen, and all loops. */
export function renderLoops(frame: Frame, { loops, damaged }: ShownLoops): string {
  const running = loops.filter(({ status }) => status === 'running');
  const shown = loops.slice(0, MOST_LOOPS);
  const main = html`<div data-events="/events">
      <p class="note" role="status" data-connection>Running loops are shown as of now.</p>
      <template>${renderLive()}</template>
      ${running.map((loop) => renderLive(loop))}
    </div>
    <h2>All loops</h2>
    ${
      loops.length === 0
        ? html`<p>No loop has run here yet. Start one: <code>ralph run</code></p>`
        : renderTable(
            'Table of loops',
            ['Loop', 'Status', 'Reward', 'Attempts', 'Started'],
            shown.map(({ state, status }) => [
              html`${cutText(firstLine(state.task), 160)}<code>${loopLink(state.loop_id)}</code>`,
              html`<span class="tag ${status === 'passed' && 'good'}">${status.replaceAll('_', ' ')}</span>`,
              rewardOf(state),
              `${state.iteration} of ${state.max_iterations}`,
              moment(state.started_at) ?? '',
            ]),
          )
    }
    ${loops.length > shown.length && html`<p class="note">${renderCount(loops.length - shown.length, 'earlier loop')} left out.</p>`}
    ${
      damaged.length > 0 &&
      html`<div class="callout warn" role="note">
        <h2>Unreadable files</h2>
        <ul>
          ${damaged.slice(0, 50).map(({ path, problem }) => html`<li><code>${path}</code> ${cutText(problem, 400)}</li>`)}
        </ul>
      </div>`
    }`;
  return renderPage(frame, { path: '/', title: 'Loops', main });
}

/** Renders the steps of one running loop, above its report. */
export function renderLiveTop(loop: ShownLoop): Markup {
  const { loop_id: id } = loop.state;
  return html`<section data-events="/loops/${encodeURIComponent(id)}/events" aria-label="Steps">
    <p class="note" role="status" data-connection>The report below is as of now; reload for the newest.</p>
    ${renderLive(loop)}
  </section>`;
}

/** Renders the loops of other machines, which the page's script fills in. */
export function renderFleetLive(): Markup {
  return html`<div data-events="/fleet/events">
    <p class="note" role="status" data-connection>Running loops appear here with JavaScript.</p>
    <template>${renderLive(undefined, html`<span data-name></span>`)}</template>
  </div>`;
}

/** A card that the page's script fills; without a loop, the one for loops that begin later. */
function renderLive(loop?: ShownLoop, name = html`<a href="/"></a>`): Markup {
  const state = loop?.state;
  return html`<article class="card live" data-loop="${state?.loop_id}">
    <h3>${state === undefined ? name : loopLink(state.loop_id)}</h3>
    <p data-task>${state !== undefined && firstLine(state.task)}</p>
    <p>
      <span class="tag" data-status>${loop?.status ?? 'running'}</span>
      attempts
      <span data-attempts>${state !== undefined && `${state.iteration} of ${state.max_iterations}`}</span>,
      reward <span data-reward>${state !== undefined && rewardOf(state)}</span>
    </p>
    <ul class="steps" data-steps tabindex="0" aria-label="Steps, the newest first"></ul>
  </article>`;
}
