import { messageOf } from '../../../errors.ts';
import { plural } from '../../../platform/text/plural.ts';
import type { Observation } from '../../../schema/generated.ts';
import { NO_USAGE } from '../../../schema/usage.ts';
import type { LessonStore, PassResult } from '../../lessons/contract.ts';
import type { AskModel } from '../common/ask.ts';
import { done, idle } from '../common/result.ts';
import { archiveObservations, readObservations, recentObservations } from '../observe/store.ts';
import { admitInsights } from './admit.ts';
import { askForInsights, type Synthesis } from './ask.ts';
import { mergeInsights } from './merge.ts';
import { toInsight } from './proposal.ts';
import { insightsByRules } from './rules.ts';
import { isInsightDue, type InsightSettings } from './settings.ts';
import { activeInsights, changeInsights, readInsights } from './store.ts';

export interface InsightStats {
  /** Attempts that the synthesis read. */
  readonly observations: number;
  readonly proposed: number;
  /** Proposals that named no existing attempt. */
  readonly dropped: number;
  /** Proposals that a gate refused. */
  readonly refused: number;
  /** Proposals from bullet lines. */
  readonly unverified: number;
  /** Active insights afterwards. */
  readonly active: number;
  /** Attempts that were archived. */
  readonly evicted: number;
}

export interface InsightRequest {
  readonly repositoryRoot: string;
  readonly settings: InsightSettings;
  /** Requested by the user: runs whether or not it is due. */
  readonly manual: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly now?: (() => Date) | undefined;
}

const NO_STATS: InsightStats = {
  observations: 0,
  proposed: 0,
  dropped: 0,
  refused: 0,
  unverified: 0,
  active: 0,
  evicted: 0,
};

/**
 * Synthesises insights from recent attempts, with a model or by rules. Unimportant attempts are archived only after a
 * successful synthesis; a failed one stays due. No lock is held while the model is asked. Never rejects.
 */
export async function synthesiseInsights(
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
      return idle('skipped', reason, NO_STATS);
    }
    const recent = recentObservations(observations, settings.recent);
    if (recent.length === 0) return idle('noop', 'no_observations', NO_STATS);
    await changeInsights(repositoryRoot, (now) => ({ ...now, due: true }));
    const synthesis: Synthesis =
      ask === undefined
        ? { ok: true, proposals: insightsByRules(recent), dropped: 0, usage: NO_USAGE }
        : await askForInsights(ask, recent, stored, request);
    return await (synthesis.ok
      ? keep(synthesis, recent, request, store)
      : leaveDue(synthesis, recent, request));
  } catch (error) {
    return done('fallback', messageOf(error), NO_STATS);
  }
}

async function keep(
  { proposals, dropped, usage }: Extract<Synthesis, { ok: true }>,
  recent: readonly Observation[],
  { repositoryRoot, settings, now = () => new Date() }: InsightRequest,
  store: LessonStore,
): Promise<PassResult<InsightStats>> {
  const { admitted, refused } = await admitInsights(proposals, store, repositoryRoot);
  const at = now().toISOString();
  const fresh = admitted.map(({ proposal, lesson }) => toInsight(proposal, at, lesson?.id));
  const through = recent.at(-1)!.seq;
  const reason = `${fresh.length} kept from ${plural(recent.length, 'attempt')}`;
  const proposed = proposals.length + dropped;
  // If no proposal could be verified, the attempts stay for the next synthesis.
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
    `Synthesised; its importance is below ${settings.threshold}.`,
  );
  const stats = {
    observations: recent.length,
    proposed,
    dropped,
    refused,
    unverified: fresh.filter(({ verified }) => !verified).length,
    active: activeInsights(changed).length,
    evicted,
  };
  return done(fresh.length === 0 ? 'noop' : 'ok', reason, stats, usage);
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
  const stats = { ...NO_STATS, observations: recent.length, active: activeInsights(changed).length };
  return done('fallback', reason, stats, usage);
}
