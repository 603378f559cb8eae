import type { Action } from '../../schema/generated.ts';
import { renderAction } from '../action-line.ts';
import type { AttemptRecord } from '../data/attempt-record.ts';
import { anchors } from './anchors.ts';
import type { Evidence } from './evidence.ts';
import { bar, cutText, facts, firstLine } from './figures.ts';
import { html, type Markup } from './markup.ts';

const TEXT_CHARS = 4_000;
const ITEM_CHARS = 1_000;
const MAX_BLAMED = 6;

/** Renders a reflection with links to the lines, files, failing tests and actions that it names. */
export function renderReflection(
  { iteration, reflection, reflectionPath }: AttemptRecord,
  evidence: Evidence,
): Markup | null {
  if (reflection === null) return null;
  const { self_reflection: self, reflector, actor_output: actor } = reflection;
  const {
    failure_category: category,
    root_cause: cause,
    failing_action_indices: blamed,
  } = self.credit_assignment;
  const list = (title: string, items: readonly string[]): Markup | null =>
    items.length === 0
      ? null
      : html`<h5>${title}</h5>
          <ul>
            ${items.map((item) => html`<li>${evidence.link(cutText(item, ITEM_CHARS))}</li>`)}
          </ul>`;
  return html`<section class="reflection">
    <h4>Reflection</h4>
    <p class="judgement">
      <span class="tag">${category.replaceAll('_', ' ')}</span> confidence ${self.confidence.toFixed(2)}
      ${bar(self.confidence, 'confidence')}
    </p>
    <p class="cause">${evidence.link(cutText(cause, ITEM_CHARS))}</p>
    ${list('Next', self.actionable_insights)} ${list('Learned', self.lessons_learned)}
    ${renderBlamed(iteration, blamed, actor.actions)}
    <details class="more">
      <summary>in full</summary>
      <p class="prose">${evidence.link(cutText(self.reflection_text, TEXT_CHARS))}</p>
      ${self.causal_reasoning !== '' && html`<p class="prose">${evidence.link(cutText(self.causal_reasoning, TEXT_CHARS))}</p>`}
      ${facts([
        [
          'Written by',
          reflector.model === undefined ? reflector.name : `${reflector.name}: ${reflector.model}`,
        ],
        [
          'Fallback',
          reflector.fallback
            ? `Written by the rules: ${firstLine(reflector.refused?.join(' ') ?? '')}`
            : null,
        ],
        ['File', reflectionPath === null ? null : html`<code>${reflectionPath}</code>`],
      ])}
    </details>
  </section>`;
}

/** Number of actions that the page shows for an attempt; only these can be linked to. */
const LINKED_ACTIONS = 60;

function renderBlamed(
  iteration: number,
  blamed: readonly number[],
  actions: readonly Action[],
): Markup | null {
  const known = blamed.filter((index) => actions[index] !== undefined).slice(0, MAX_BLAMED);
  if (known.length === 0) return null;
  return html`<h5>Blamed actions</h5>
    <ul>
      ${known.map((index) => {
        const text = firstLine(renderAction(actions[index]!), 160);
        return index < LINKED_ACTIONS
          ? html`<li><a href="#${anchors.action(iteration, index)}">${text}</a></li>`
          : html`<li>${text}</li>`;
      })}
    </ul>`;
}
