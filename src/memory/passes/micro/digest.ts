import { messageOf } from '../../../errors.ts';
import type { MicroState, Observation } from '../../../schema/generated.ts';
import { sumUsage } from '../../../schema/usage.ts';
import type { LessonStore, PassResult } from '../../lessons/contract.ts';
import { readObservations } from '../observe/store.ts';
import type { AskModel } from '../common/ask.ts';
import { done, idle } from '../common/result.ts';
import { endOfAttempt, entriesOf } from './entries.ts';
import { reflectOnSession, type MicroStats } from './pass.ts';
import { recordDigest, readMicroState, watermarkOf } from './store.ts';

/** Most loops of one digest. */
const MOST_LOOPS = 5;

export interface DigestStats {
  /** Loops that the digest read. */
  readonly loops: number;
  readonly saved: number;
  /** Loops left for the next digest. */
  readonly left: number;
}

export interface DigestRequest {
  readonly repositoryRoot: string;
  readonly enabled: boolean;
  /** Requested by the user: runs even if there was a digest today. */
  readonly manual: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly now?: (() => Date) | undefined;
}

const NO_STATS: DigestStats = { loops: 0, saved: 0, left: 0 };

/**
 * Once a day, runs micro-reflection over attempts that none has read, mainly those of killed loops. A failed digest runs
 * again the same day. Never rejects.
 */
export async function digestSessions(
  request: DigestRequest,
  store: LessonStore,
  ask?: AskModel,
): Promise<PassResult<DigestStats>> {
  try {
    const { repositoryRoot, now = () => new Date() } = request;
    if (!request.enabled) return idle('skipped', 'disabled', NO_STATS);
    const day = now().toISOString().slice(0, 10);
    const state = await readMicroState(repositoryRoot);
    if (!request.manual && state.digested_on === day) return idle('skipped', 'today_done', NO_STATS);
    const observations = await readObservations(repositoryRoot);
    const waiting = unreadLoops(observations, state);
    if (waiting.length === 0) return idle('noop', 'nothing_new', NO_STATS);
    const results: PassResult<MicroStats>[] = [];
    for (const loopId of waiting.slice(0, MOST_LOOPS))
      results.push(await reflectOnLoop(loopId, observations, request, store, ask));
    const failed = results.find(({ status }) => status === 'fallback');
    const left = waiting.length - results.length;
    if (failed === undefined && left === 0)
      await recordDigest(repositoryRoot, observations.at(-1)?.seq ?? 0, day);
    const saved = results.reduce((sum, { stats }) => sum + stats.saved, 0);
    const stats = { loops: results.length, saved, left };
    const usage = sumUsage(results.map((result) => result.usage));
    return failed === undefined
      ? done('ok', `${saved} saved`, stats, usage)
      : done('fallback', failed.reason, stats, usage);
  } catch (error) {
    return done('fallback', messageOf(error), NO_STATS);
  }
}

function reflectOnLoop(
  loopId: string,
  observations: readonly Observation[],
  { repositoryRoot, signal, timeoutMs }: DigestRequest,
  store: LessonStore,
  ask: AskModel | undefined,
): Promise<PassResult<MicroStats>> {
  const own = observations.filter(({ loop_id: id }) => id === loopId);
  const entries = own.flatMap((observation) => entriesOf(observation, observation.task));
  const request = { repositoryRoot, loopId, entries, observations: own, enabled: true, signal, timeoutMs };
  return reflectOnSession({ ...request, trigger: 'daily_digest' }, store, ask);
}

/** Ids of loops with entries above their watermark and the last digest, oldest first. */
function unreadLoops(observations: readonly Observation[], state: MicroState): string[] {
  const unread = observations.filter(({ seq, loop_id: loopId, iteration }) => {
    return seq > state.digested_through && watermarkOf(state, loopId) < endOfAttempt(iteration - 1) + 1;
  });
  return [...new Set(unread.map(({ loop_id: loopId }) => loopId))];
}
