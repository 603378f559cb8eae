import { messageOf } from '../../../errors.ts';
import type { MicroState, Observation } from '../../../schema/generated.ts';
import { sumUsage } from '../../../schema/usage.ts';
import type { LessonStore, PassResult } from '../../lessons/contract.ts';
import { readObservations } from '../observe/store.ts';
import type { AskModel } from '../common/ask.ts';
import { done, idle } from '../common/result.ts';
import { endOfAttempt, entriesOf } from './entries.ts';
import { reflectOnSession, type MicroStats } from './reflect.ts';
import { noteDigest, readMicroState, watermarkOf } from './state.ts';

/** Loops that one digest catches up on. */
const MOST_LOOPS = 5;

export interface DigestStats {
  /** Loops that it looked at. */
  readonly loops: number;
  readonly saved: number;
  /** Loops that wait for the next one. */
  readonly left: number;
}

export interface DigestRequest {
  readonly repositoryRoot: string;
  readonly enabled: boolean;
  /** Asked for by the user: more than once a day. */
  readonly manual: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly now?: (() => Date) | undefined;
}

const NOTHING: DigestStats = { loops: 0, saved: 0, left: 0 };

/** Once a day, looks at the attempts that no look has seen: of loops that were killed, above all. Never rejects. */
export async function digestSessions(
  request: DigestRequest,
  store: LessonStore,
  ask?: AskModel,
): Promise<PassResult<DigestStats>> {
  try {
    const { repositoryRoot, now = () => new Date() } = request;
    if (!request.enabled) return idle('skipped', 'disabled', NOTHING);
    const day = now().toISOString().slice(0, 10);
    const state = await readMicroState(repositoryRoot);
    if (!request.manual && state.digested_on === day) return idle('skipped', 'today_done', NOTHING);
    const observations = await readObservations(repositoryRoot);
    const waiting = unseenLoops(observations, state);
    if (waiting.length === 0) return idle('noop', 'nothing_new', NOTHING);
    const results: PassResult<MicroStats>[] = [];
    for (const loopId of waiting.slice(0, MOST_LOOPS))
      results.push(await lookAt(loopId, observations, request, store, ask));
    const failed = results.find(({ status }) => status === 'fallback');
    const left = waiting.length - results.length;
    if (failed === undefined && left === 0)
      await noteDigest(repositoryRoot, observations.at(-1)?.seq ?? 0, day);
    const saved = results.reduce((sum, { stats }) => sum + stats.saved, 0);
    const stats = { loops: results.length, saved, left };
    const usage = sumUsage(results.map((result) => result.usage));
    return failed === undefined
      ? done('ok', `${saved} saved`, stats, usage)
      : done('fallback', failed.reason, stats, usage);
  } catch (error) {
    return done('fallback', messageOf(error), NOTHING);
  }
}

function lookAt(
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

/** Oldest first. */
function unseenLoops(observations: readonly Observation[], state: MicroState): string[] {
  const unseen = observations.filter(({ seq, loop_id: loopId, iteration }) => {
    return seq > state.digested_through && watermarkOf(state, loopId) < endOfAttempt(iteration - 1) + 1;
  });
  return [...new Set(unseen.map(({ loop_id: loopId }) => loopId))];
}
