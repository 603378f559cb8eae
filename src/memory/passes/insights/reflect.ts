import { messageOf } from '../../../errors.ts';
import { insightsPrompt } from '../../../prompts/memory.ts';
import { renderPrompt } from '../../../prompts/render.ts';
import type { Insights, Observation, Usage } from '../../../schema/generated.ts';
import { NO_USAGE } from '../../../schema/usage.ts';
import type { LessonStore, PassResult } from '../../lessons/contract.ts';
import { archiveObservations, readObservations, recentOf } from '../observe/store.ts';
import { observationText } from '../observe/text.ts';
import type { AskModel } from '../common/ask.ts';
import { askForJson, PASS_TIMEOUT_MS } from '../common/ask-json.ts';
import { done, idle } from '../common/result.ts';
import { admitInsights } from './admit-insights.ts';
import { mergeInsights } from './merge.ts';
import { insightOf, proposalsFrom, proposalsFromLines, type Proposal } from './proposal.ts';
import { insightsByRules } from './rules.ts';
import { ASKED, isInsightDue, type InsightSettings } from './settings.ts';
import { activeInsights, changeInsights, readInsights } from './store.ts';

export interface InsightStats {
  /** Attempts that it looked at. */
  readonly observations: number;
  readonly proposed: number;
  /** Proposals that name no attempt that exists. */
  readonly dropped: number;
  /** By the gate. */
  readonly refused: number;
  /** Read from bullet lines. */
  readonly unverified: number;
  /** Active insights afterwards. */
  readonly active: number;
  /** Attempts that it archived. */
  readonly evicted: number;
}

export interface InsightRequest {
  readonly repositoryRoot: string;
  readonly settings: InsightSettings;
  /** Asked for by the user: not held back by `reflectEvery`. */
  readonly manual: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly now?: (() => Date) | undefined;
}

const NOTHING: InsightStats = {
  ...{ observations: 0, proposed: 0, dropped: 0, refused: 0 },
  ...{ unverified: 0, active: 0, evicted: 0 },
};

/**
 * Synthesises insights from recent attempts: by a model where there is one, by rules where there is none. Attempts of
 * little importance are archived only once it has succeeded; where it fails it stays due. No file is held while the
 * model is asked. Never rejects.
 */
export async function reflectOnAttempts(
  request: InsightRequest,
  store: LessonStore,
  ask?: AskModel,
): Promise<PassResult<InsightStats>> {
  try {
    const { repositoryRoot, settings, manual } = request;
    const observations = await readObservations(repositoryRoot);
    const stored = await readInsights(repositoryRoot);
    const seq = observations.at(-1)?.seq ?? 0;
    if (!manual && !isInsightDue(seq, stored, settings)) {
      const reason = settings.reflectEvery <= 0 ? 'manual' : 'not_due';
      return idle('skipped', reason, NOTHING);
    }
    const recent = recentOf(observations, settings.recent);
    if (recent.length === 0) return idle('noop', 'no_observations', NOTHING);
    await changeInsights(repositoryRoot, (now) => ({ ...now, due: true }));
    const found = await synthesise(recent, stored, request, ask);
    return await (found.ok ? keep(found, recent, request, store) : leaveDue(found, recent, request));
  } catch (error) {
    return done('fallback', messageOf(error), NOTHING);
  }
}

type Synthesis =
  | { readonly ok: true; readonly proposals: Proposal[]; readonly dropped: number; readonly usage: Usage }
  | { readonly ok: false; readonly reason: string; readonly usage: Usage };

async function synthesise(
  recent: readonly Observation[],
  stored: Insights,
  { repositoryRoot, signal, timeoutMs }: InsightRequest,
  ask: AskModel | undefined,
): Promise<Synthesis> {
  if (ask === undefined) return { ok: true, proposals: insightsByRules(recent), dropped: 0, usage: NO_USAGE };
  const known = activeInsights(stored).map(({ text }) => text);
  const texts = recent.map((one) => ({ task: one.task, text: observationText(one) }));
  const asked = await askForJson(ask, {
    answer: 'insights-answer',
    keys: ['insights'],
    system: renderPrompt('insights-system', {}, repositoryRoot),
    prompt: renderPrompt('insights', insightsPrompt({ attempts: texts, known, ...ASKED }), repositoryRoot),
    timeoutMs: timeoutMs ?? PASS_TIMEOUT_MS,
    ...{ signal, repository: repositoryRoot },
  });
  if (asked.ok) return { ok: true, usage: asked.usage, ...proposalsFrom(asked.value.insights, recent) };
  const proposals = proposalsFromLines(asked.text ?? '', ASKED.most);
  return proposals.length > 0 ? { ok: true, proposals, dropped: 0, usage: asked.usage } : asked;
}

async function keep(
  found: Extract<Synthesis, { ok: true }>,
  recent: readonly Observation[],
  { repositoryRoot, settings, now = () => new Date() }: InsightRequest,
  store: LessonStore,
): Promise<PassResult<InsightStats>> {
  const { admitted, refused } = await admitInsights(found.proposals, store);
  const at = now().toISOString();
  const fresh = admitted.map(({ proposal, lesson }) => insightOf(proposal, at, lesson?.id));
  const through = recent.at(-1)!.seq;
  const reason = `${fresh.length} kept, ${recent.length} attempts looked at`;
  const proposed = found.proposals.length + found.dropped;
  // Where nothing that was said holds, the attempts stay, and wait for a better look.
  const isSynthesised = proposed === 0 || fresh.some(({ verified }) => verified);
  const changed = await changeInsights(repositoryRoot, (before) => ({
    insights: mergeInsights(before.insights, fresh, settings.capacity),
    reflected_through: isSynthesised ? Math.max(before.reflected_through, through) : before.reflected_through,
    tried_through: Math.max(before.tried_through, through),
    due: !isSynthesised,
    last: { at, status: 'ok', reason },
  }));
  const unimportant = recent.filter(({ importance }) => isSynthesised && importance < settings.threshold);
  const evicted = await archiveObservations(
    repositoryRoot,
    new Set(unimportant.map(({ id }) => id)),
    `Synthesised, and of less importance than ${settings.threshold}.`,
  );
  const stats = {
    observations: recent.length,
    proposed,
    dropped: found.dropped,
    refused,
    unverified: fresh.filter(({ verified }) => !verified).length,
    active: activeInsights(changed).length,
    evicted,
  };
  return done(fresh.length === 0 ? 'noop' : 'ok', reason, stats, found.usage);
}

async function leaveDue(
  { reason, usage }: Extract<Synthesis, { ok: false }>,
  recent: readonly Observation[],
  { repositoryRoot, now = () => new Date() }: InsightRequest,
): Promise<PassResult<InsightStats>> {
  const changed = await changeInsights(repositoryRoot, (before) => ({
    ...before,
    due: true,
    tried_through: Math.max(before.tried_through, recent.at(-1)!.seq),
    last: { at: now().toISOString(), status: 'fallback', reason: reason.slice(0, 500) },
  }));
  const stats = { ...NOTHING, observations: recent.length, active: activeInsights(changed).length };
  return done('fallback', reason, stats, usage);
}
