import { messageOf } from '../../../errors.ts';
import { microReflectionPrompt } from '../../../prompts/memory.ts';
import { renderPrompt } from '../../../prompts/render.ts';
import type { Lesson, MicroFact, Observation, Usage } from '../../../schema/generated.ts';
import { NO_USAGE } from '../../../schema/usage.ts';
import type { Admission, LessonCandidate, LessonStore, PassResult } from '../../lessons/contract.ts';
import type { AskModel } from '../common/ask.ts';
import { askForJson, PASS_TIMEOUT_MS } from '../common/ask-json.ts';
import { done, idle } from '../common/result.ts';
import { flatten } from '../common/terms.ts';
import type { MicroEntry } from './entries.ts';
import { factsByRules } from './rules.ts';
import { moveWatermark, readMicroState, watermarkOf } from './state.ts';
import { LEAST, mayConcernAgent, MICRO_LIMITS, MICRO_PHRASES, type MicroTrigger } from './triggers.ts';
import { groundsOf, normalise, renderEntry, selectEntries, type MicroWindow } from './window.ts';

export interface MicroStats {
  /** Entries that it looked at. */
  readonly entries: number;
  readonly proposed: number;
  /** Lessons that were not there before, or stand in the place of another now. */
  readonly saved: number;
  /** Lessons that were known already. */
  readonly known: number;
  readonly superseded: number;
  /** Facts whose quote is not in the session. */
  readonly ungrounded: number;
  /** By the gate, for any other reason. */
  readonly refused: number;
}

export interface MicroRequest {
  readonly repositoryRoot: string;
  readonly loopId: string;
  readonly trigger: MicroTrigger;
  readonly enabled: boolean;
  /** Of the loop, in any order; those behind the watermark are left out. */
  readonly entries: readonly MicroEntry[];
  /** What the rules look at. */
  readonly observations: readonly Observation[];
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

const NOTHING: MicroStats = {
  ...{ entries: 0, proposed: 0, saved: 0, known: 0, superseded: 0, ungrounded: 0, refused: 0 },
};
const MOST_KNOWN = 40;

/**
 * Looks once more at a session that went quiet, and proposes a few facts to the gate, each with a quote from it. A
 * watermark keeps a second look from finding the same. Where the model fails, the rules look, and the watermark
 * stays for the next digest. Never rejects.
 */
export async function reflectOnSession(
  request: MicroRequest,
  store: LessonStore,
  ask?: AskModel,
): Promise<PassResult<MicroStats>> {
  try {
    const { repositoryRoot, loopId, trigger } = request;
    if (!request.enabled) return idle('skipped', 'disabled', NOTHING);
    const mark = watermarkOf(await readMicroState(repositoryRoot), loopId);
    const all = normalise(request.entries);
    if (all.length === 0) return idle('skipped', 'empty', NOTHING);
    const fresh = all.filter(({ position }) => position > mark);
    if (fresh.length === 0) return idle('skipped', 'nothing_new', NOTHING);
    const window = selectEntries(fresh, MICRO_LIMITS[trigger]);
    if (isTooSmall(window)) return idle('skipped', 'too_small', NOTHING);
    const known = (await store.list(['active', 'staged'])).slice(0, MOST_KNOWN);
    const found = await findFacts(window, known, request, ask);
    const admissions = await admitFacts(found.facts, window, known, request, store);
    const stats = { ...countAdmissions(admissions), entries: window.entries.length };
    if (found.failure !== undefined) return done('fallback', found.failure, stats, found.usage);
    await moveWatermark(repositoryRoot, loopId, fresh.at(-1)!.position);
    const status = stats.proposed === 0 ? 'noop' : 'ok';
    return done(status, stats.proposed === 0 ? 'no_facts' : `${stats.saved} saved`, stats, found.usage);
  } catch (error) {
    return done('fallback', messageOf(error), NOTHING);
  }
}

function isTooSmall(window: MicroWindow): boolean {
  const { entries } = window;
  const chars = entries.reduce((sum, { text }) => sum + text.length, 0);
  return entries.length < LEAST.entries || chars < LEAST.chars || groundsOf(window).length === 0;
}

interface Found {
  readonly facts: readonly MicroFact[];
  readonly usage: Usage;
  readonly failure?: string;
}

async function findFacts(
  window: MicroWindow,
  known: readonly Lesson[],
  { repositoryRoot, observations, signal, trigger, timeoutMs = PASS_TIMEOUT_MS }: MicroRequest,
  ask: AskModel | undefined,
): Promise<Found> {
  const { facts: most } = MICRO_LIMITS[trigger];
  const byRules = (): MicroFact[] => factsByRules(window.entries, observations, most);
  if (ask === undefined) return { facts: byRules(), usage: NO_USAGE };
  const variables = microReflectionPrompt({
    ...{ what: MICRO_PHRASES[trigger], maxFacts: most, known },
    session: window.entries.map(renderEntry).join('\n'),
  });
  const asked = await askForJson(ask, {
    answer: 'micro-answer',
    keys: ['facts'],
    system: renderPrompt('micro-reflection-system', {}, repositoryRoot),
    prompt: renderPrompt('micro-reflection', variables, repositoryRoot),
    ...{ timeoutMs, signal, repository: repositoryRoot },
  });
  if (!asked.ok) return { facts: byRules(), usage: asked.usage, failure: asked.reason };
  const facts = asked.value.facts
    .slice(0, most)
    .filter(({ subject }) => subject !== 'agent' || mayConcernAgent(trigger));
  return { facts, usage: asked.usage };
}

function admitFacts(
  facts: readonly MicroFact[],
  window: MicroWindow,
  known: readonly Lesson[],
  request: MicroRequest,
  store: LessonStore,
): Promise<readonly Admission[]> {
  const texts = groundsOf(window);
  const candidates = facts.map((fact) => candidateOf(fact, known, request));
  return candidates.length === 0 ? Promise.resolve([]) : store.admit(candidates, { kind: 'texts', texts });
}

/** `supersedes` counts where it is the exact text of a known fact. */
function candidateOf(fact: MicroFact, known: readonly Lesson[], request: MicroRequest): LessonCandidate {
  const { loopId, observations } = request;
  const replaced = known.find(({ text }) => text === fact.supersedes);
  const last = observations.filter((one) => one.loop_id === loopId).at(-1);
  const errors = observations.flatMap((one) => one.errors);
  const about = errors.filter((error) => namesError(fact, error));
  return {
    text: flatten(fact.fact),
    ...{ type: fact.type, subject: fact.subject, confidence: fact.confidence },
    source: { pass: 'micro', loop_id: loopId, ...(last !== undefined && { iteration: last.iteration }) },
    evidence: [
      { quote: fact.evidence, loop_id: loopId, ...(last !== undefined && { iteration: last.iteration }) },
    ],
    importance: fact.confidence,
    files: [...new Set(about.flatMap(({ file }) => file ?? []))].slice(0, 50),
    fingerprints: [...new Set(about.map(({ fingerprint }) => fingerprint))].slice(0, 50),
    ...(replaced !== undefined && { supersedes: replaced.text }),
  };
}

function namesError(
  { fact, evidence }: MicroFact,
  { message, rule }: Observation['errors'][number],
): boolean {
  const said = `${fact}\n${evidence}`;
  return [message, rule].some((text) => text !== undefined && text.length > 3 && said.includes(text));
}

function countAdmissions(admissions: readonly Admission[]): MicroStats {
  const count = (test: (admission: Admission) => boolean): number => admissions.filter(test).length;
  const superseded = count(({ outcome }) => outcome === 'superseded_other');
  return {
    ...NOTHING,
    proposed: admissions.length,
    saved: count(({ outcome }) => outcome === 'staged' || outcome === 'active') + superseded,
    known: count(({ outcome }) => outcome === 'strengthened'),
    superseded,
    ungrounded: count(({ step }) => step === 'ungrounded'),
    refused: count(({ outcome, step }) => outcome === 'refused' && step !== 'ungrounded'),
  };
}
