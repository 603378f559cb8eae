import { messageOf } from '../../../errors.ts';
import type { Lesson, Observation, Usage } from '../../../schema/generated.ts';
import { NO_USAGE } from '../../../schema/usage.ts';
import type { Admission, LessonStore, PassResult } from '../../lessons/contract.ts';
import type { AskModel } from '../common/ask.ts';
import { done, idle } from '../common/result.ts';
import { admitFacts } from './admit.ts';
import { askForFacts } from './ask.ts';
import type { MicroEntry } from './entries.ts';
import { factsByRules, type RuledFact } from './rules.ts';
import { allowsAgentFacts, LEAST, MICRO_LIMITS, type MicroTrigger } from './settings.ts';
import { moveWatermark, readMicroState, watermarkOf } from './store.ts';
import { groundsOf, normaliseEntries, selectEntries, type MicroWindow } from './window.ts';

export interface MicroStats {
  /** Entries that the model or the rules read. */
  readonly entries: number;
  readonly proposed: number;
  /** Lessons that are new or supersede another. */
  readonly saved: number;
  /** Lessons that were known already. */
  readonly known: number;
  readonly superseded: number;
  /** Facts whose quote is not in the session. */
  readonly ungrounded: number;
  /** Facts that the gate refused for another reason. */
  readonly refused: number;
}

export interface MicroRequest {
  readonly repositoryRoot: string;
  readonly loopId: string;
  readonly trigger: MicroTrigger;
  readonly enabled: boolean;
  /** Entries of the loop, in any order; those up to the watermark are left out. */
  readonly entries: readonly MicroEntry[];
  /** Observations for the rules, and to place facts by. */
  readonly observations: readonly Observation[];
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

const NO_STATS: MicroStats = {
  entries: 0,
  proposed: 0,
  saved: 0,
  known: 0,
  superseded: 0,
  ungrounded: 0,
  refused: 0,
};
const MOST_KNOWN = 40;

/**
 * Extracts a few facts, each with a quote, from a session that has ended or grown too long, and proposes them to the
 * lessons' gate. A watermark keeps a second run from reading the same entries. If the model fails, rules extract the
 * facts, and the watermark stays for the next digest. Never rejects.
 */
export async function reflectOnSession(
  request: MicroRequest,
  store: LessonStore,
  ask?: AskModel,
): Promise<PassResult<MicroStats>> {
  try {
    const { repositoryRoot, loopId, trigger } = request;
    if (!request.enabled) return idle('skipped', 'disabled', NO_STATS);
    const mark = watermarkOf(await readMicroState(repositoryRoot), loopId);
    const all = normaliseEntries(request.entries);
    if (all.length === 0) return idle('skipped', 'empty', NO_STATS);
    const fresh = all.filter(({ position }) => position > mark);
    if (fresh.length === 0) return idle('skipped', 'nothing_new', NO_STATS);
    const window = selectEntries(fresh, MICRO_LIMITS[trigger]);
    if (isTooSmall(window)) return idle('skipped', 'too_small', NO_STATS);
    const known = (await store.list(['active', 'staged'])).slice(0, MOST_KNOWN);
    const found = await findFacts(window, known, request, ask);
    const admissions = await admitFacts(found.facts, { window, known }, request, store);
    const stats = { ...countAdmissions(admissions), entries: window.entries.length };
    if (found.failure !== undefined) return done('fallback', found.failure, stats, found.usage);
    await moveWatermark(repositoryRoot, loopId, fresh.at(-1)!.position);
    return stats.proposed === 0
      ? done('noop', 'no_facts', stats, found.usage)
      : done('ok', `${stats.saved} saved`, stats, found.usage);
  } catch (error) {
    return done('fallback', messageOf(error), NO_STATS);
  }
}

function isTooSmall(window: MicroWindow): boolean {
  const { entries } = window;
  const chars = entries.reduce((sum, { text }) => sum + text.length, 0);
  return entries.length < LEAST.entries || chars < LEAST.chars || groundsOf(window).length === 0;
}

interface FoundFacts {
  readonly facts: readonly RuledFact[];
  readonly usage: Usage;
  /** Reason why rules found the facts instead of the model. */
  readonly failure?: string;
}

async function findFacts(
  window: MicroWindow,
  known: readonly Lesson[],
  request: MicroRequest,
  ask: AskModel | undefined,
): Promise<FoundFacts> {
  const { observations, trigger } = request;
  const most = MICRO_LIMITS[trigger].facts;
  const byRules = (): RuledFact[] => factsByRules(window.entries, observations, most);
  if (ask === undefined) return { facts: byRules(), usage: NO_USAGE };
  const asked = await askForFacts(ask, window, known, request);
  if (!asked.ok) return { facts: byRules(), usage: asked.usage, failure: asked.reason };
  const facts = asked.value.facts
    .slice(0, most)
    .filter(({ subject }) => subject !== 'agent' || allowsAgentFacts(trigger));
  return { facts, usage: asked.usage };
}

function countAdmissions(admissions: readonly Admission[]): MicroStats {
  const count = (test: (admission: Admission) => boolean): number => admissions.filter(test).length;
  const superseded = count(({ outcome }) => outcome === 'superseded_other');
  return {
    ...NO_STATS,
    proposed: admissions.length,
    saved: count(({ outcome }) => outcome === 'staged' || outcome === 'active') + superseded,
    known: count(({ outcome }) => outcome === 'strengthened'),
    superseded,
    ungrounded: count(({ step }) => step === 'ungrounded'),
    refused: count(({ outcome, step }) => outcome === 'refused' && step !== 'ungrounded'),
  };
}
