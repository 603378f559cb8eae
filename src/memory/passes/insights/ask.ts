import { insightsPrompt } from '../../../prompts/memory.ts';
import { renderPrompt } from '../../../prompts/render.ts';
import type { Insights, Observation, Usage } from '../../../schema/generated.ts';
import type { AskModel } from '../common/ask.ts';
import { askForJson, PASS_TIMEOUT_MS } from '../common/ask-json.ts';
import { renderObservation } from '../observe/render.ts';
import type { InsightRequest } from './pass.ts';
import { proposalsFrom, proposalsFromLines, type Proposal } from './proposal.ts';
import { REQUESTED } from './settings.ts';
import { activeInsights } from './store.ts';

/** Proposed insights, or why there are none. `dropped`: insights that named no existing attempt. */
export type Synthesis =
  | { readonly ok: true; readonly proposals: Proposal[]; readonly dropped: number; readonly usage: Usage }
  | { readonly ok: false; readonly reason: string; readonly usage: Usage };

/**
 * Asks a model for insights from recent attempts. A reply that stays invalid after the repair round is read for bullet
 * lines. Never rejects.
 */
export async function askForInsights(
  ask: AskModel,
  recent: readonly Observation[],
  stored: Insights,
  { repositoryRoot, signal, timeoutMs = PASS_TIMEOUT_MS }: InsightRequest,
): Promise<Synthesis> {
  const known = activeInsights(stored).map(({ text }) => text);
  const attempts = recent.map((one) => ({ task: one.task, text: renderObservation(one) }));
  const variables = insightsPrompt({ attempts, known, ...REQUESTED });
  const asked = await askForJson(ask, {
    answer: 'insights-answer',
    keys: ['insights'],
    system: renderPrompt('insights-system', {}, repositoryRoot),
    prompt: renderPrompt('insights', variables, repositoryRoot),
    timeoutMs,
    signal,
    repository: repositoryRoot,
  });
  if (asked.ok) return { ok: true, usage: asked.usage, ...proposalsFrom(asked.value.insights, recent) };
  const proposals = proposalsFromLines(asked.text ?? '', REQUESTED.most);
  return proposals.length > 0 ? { ok: true, proposals, dropped: 0, usage: asked.usage } : asked;
}
