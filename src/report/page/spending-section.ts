import type { Usage } from '../../schema/generated.ts';
import { sumUsage } from '../../schema/usage.ts';
import { renderDuration } from '../../platform/text/duration.ts';
import { groupThousands } from '../count.ts';
import { anchors } from './anchors.ts';
import { bar } from './figures.ts';
import type { AttemptView, LoopView } from './loop-view.ts';
import { html, type Markup } from './markup.ts';

/** Renders time, tokens and cost by attempt. */
export function renderSpending({ record, attempts }: LoopView): Markup {
  const { usage, duration_ms: total } = record.verdict;
  const longest = Math.max(1, ...attempts.map(({ attempt }) => attempt.durationMs ?? 0));
  const usedModel =
    usage.input_tokens + usage.output_tokens > 0 || usage.cost_usd === null || usage.cost_usd > 0;
  return html`<section id="cost" aria-labelledby="cost-h">
    <h2 id="cost-h">Time and cost</h2>
    <div class="card">
      ${!usedModel && html`<p>No model was called.</p>`}
      <div class="scroll tall" tabindex="0" role="group" aria-label="Time and cost by attempt">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Attempt</th>
              <th scope="col">Time</th>
              <th scope="col" class="wide"><span class="hidden">Time as a bar</span></th>
              <th scope="col">Checks</th>
              ${
                usedModel &&
                html`<th scope="col">Tokens in</th>
                  <th scope="col">cached</th>
                  <th scope="col">out</th>
                  <th scope="col">Cost</th>`
              }
            </tr>
          </thead>
          <tbody>
            ${attempts.map((shown) => renderAttemptRow(shown, { longest, usedModel }))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">all</th>
              <td>${renderDuration(total)}</td>
              <td class="wide"></td>
              <td></td>
              ${usedModel && usageCells(usage)}
            </tr>
          </tfoot>
        </table>
      </div>
    </div>
  </section>`;
}

function renderAttemptRow(
  { attempt }: AttemptView,
  { longest, usedModel }: { readonly longest: number; readonly usedModel: boolean },
): Markup {
  const { iteration, durationMs, evaluation, usage } = attempt;
  return html`<tr>
    <th scope="row"><a href="#${anchors.attempt(iteration)}">${iteration}</a></th>
    <td>${durationMs === null ? '' : renderDuration(durationMs)}</td>
    <td class="wide">${bar((durationMs ?? 0) / longest, 'time')}</td>
    <td>${evaluation === null ? '' : renderDuration(evaluation.duration_ms)}</td>
    ${usedModel && usageCells(sumUsage(usage))}
  </tr>`;
}

function usageCells({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  cost_usd: cost,
}: Usage): Markup {
  return html`<td>${groupThousands(input)}</td>
    <td>${groupThousands(cached)}</td>
    <td>${groupThousands(output)}</td>
    <td>${cost === null ? 'unknown' : `$${cost.toFixed(4)}`}</td>`;
}
