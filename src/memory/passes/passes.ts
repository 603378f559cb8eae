import { boundBytes, line } from '../../prompts/bounded-data.ts';
import type { AttemptOutcome, LoopEnd, MemoryContext } from '../../ports.ts';
import type { Lesson, Observation } from '../../schema/generated.ts';
import { createBackgroundReflection } from './insights/background.ts';
import { reflectOnAttempts } from './insights/reflect.ts';
import { isInsightDue, type InsightSettings } from './insights/settings.ts';
import { activeInsights, readInsights } from './insights/store.ts';
import type { LessonStore, PassResult } from '../lessons/contract.ts';
import { LESSON_STATUSES } from '../lessons/kinds.ts';
import { digestSessions } from './micro/digest.ts';
import { entriesOf, type MicroEntry } from './micro/entries.ts';
import { reflectOnSession } from './micro/reflect.ts';
import type { MicroTrigger } from './micro/triggers.ts';
import { outgrown } from './micro/window.ts';
import type { ScoreImportance } from './observe/importance.ts';
import { commitObservation, readObservations } from './observe/store.ts';
import type { AskModel } from './common/ask.ts';
import { consolidatePlaybook } from './playbook/consolidate.ts';
import { readPlaybookText } from './playbook/store.ts';
import type { MemoryPasses } from '../recall/passes.ts';
import { isWithdrawn } from '../recall/withdrawn.ts';
import { validateLessons } from './validate/validate-lessons.ts';

/** What of long-term memory works beside the lessons. */
export interface PassSettings {
  readonly validateLessons: boolean;
  readonly microReflection: boolean;
  readonly insights: InsightSettings;
}

export type PassName = 'validation' | 'insights' | 'playbook' | 'micro_reflection' | 'digest';

export interface PassesOptions {
  /** Absolute path. */
  readonly repositoryRoot: string;
  readonly lessons: LessonStore;
  /** Without it, rules do what a model would. */
  readonly ask?: AskModel | undefined;
  readonly settings: PassSettings;
  /** Told what could not be done, as a sentence. */
  readonly warn: (text: string) => void;
  /** Told what each pass came to. */
  readonly report?: ((pass: PassName, result: PassResult<object>) => void) | undefined;
  readonly now?: (() => Date) | undefined;
  /** How much an attempt is worth remembering; default: by reward, news and a flipped outcome. */
  readonly score?: ScoreImportance | undefined;
  /** For everything behind a loop together, and for one validation of lessons; default 30,000. */
  readonly endTimeoutMs?: number;
}

/** What is told of memory in a prompt, in bytes. */
const TOLD = { playbook: 1200, insights: 10, insight: 200 } as const;
const END_TIMEOUT_MS = 30_000;

/** The passes of one loop. An attempt is committed before anything is asked; what is not done in time stays due. */
export function createPasses(options: PassesOptions): MemoryPasses {
  const { repositoryRoot, lessons, ask, settings, warn, report, now } = options;
  const session = new Session();
  const insights = createBackgroundReflection(async (signal) => {
    const request = { repositoryRoot, settings: settings.insights, manual: false, signal, now };
    const result = await reflectOnAttempts(request, lessons, ask);
    report?.('insights', result);
    return result;
  });
  const look = async (trigger: MicroTrigger, entries: readonly MicroEntry[], signal: AbortSignal) => {
    const { loopId, observations } = session;
    const enabled = settings.microReflection;
    const request = { repositoryRoot, loopId, trigger, enabled, entries, observations, signal };
    const asked = session.isWorthAsking && !signal.aborted ? ask : undefined;
    const result = await reflectOnSession(request, lessons, asked);
    report?.('micro_reflection', result);
    tell('Micro-reflection', result);
  };
  const digest = (signal: AbortSignal): ReturnType<typeof digestSessions> => {
    const request = { repositoryRoot, enabled: settings.microReflection, manual: false, signal, now };
    return digestSessions(request, lessons, ask);
  };
  const tell = (what: string, result: PassResult<unknown> | undefined): void => {
    if (result?.status === 'fallback' || result?.status === 'rejected')
      warn(`${what} came to nothing: ${result.reason}`);
  };

  return {
    slots: async () => readSlots(repositoryRoot, await lessons.list(LESSON_STATUSES)),
    async validate(drafts, { outcome, grounds }) {
      if (!settings.validateLessons || grounds.kind !== 'texts') return drafts;
      const timeoutMs = options.endTimeoutMs ?? END_TIMEOUT_MS;
      const request = { repositoryRoot, drafts, record: grounds.texts, signal: outcome.signal, timeoutMs };
      const { candidates, result } = await validateLessons(request, lessons, ask);
      report?.('validation', result);
      tell('The validation of lessons', result);
      return candidates;
    },
    async afterAttempt(outcome) {
      const observation = await commitObservation(repositoryRoot, seenIn(outcome), {
        now,
        score: options.score,
      });
      if (session.isNew && outcome.iteration > 1)
        session.takeUp(await readObservations(repositoryRoot), outcome);
      session.add(outcome, observation);
      if (isInsightDue(observation.seq, await readInsights(repositoryRoot), settings.insights))
        insights.start();
      if (outcome.trajectory.outcome === 'out_of_budget')
        session.later(() => look('context_pressure', session.entries, session.until(outcome.signal)));
      const leaving = outgrown(session.entries);
      if (leaving.length > 0)
        session.later(() => look('pre_compaction', leaving, session.until(outcome.signal)));
      if (ask === undefined) await session.settled();
    },
    async atLoopEnd(end) {
      const { stop } = session;
      const timer = setTimeout(() => stop.abort(), options.endTimeoutMs ?? END_TIMEOUT_MS);
      const signal = AbortSignal.any([stop.signal, end.signal]);
      signal.addEventListener('abort', () => insights.abort(), { once: true });
      if (signal.aborted) insights.abort();
      try {
        const microDone = session
          .settled()
          .then(() => look(triggerOf(end), session.entries, signal))
          .then(() => (signal.aborted ? undefined : digest(signal)))
          .then((result) => {
            if (result !== undefined) report?.('digest', result);
            tell('The digest', result);
          });
        const synthesised = await insights.settle(options.endTimeoutMs ?? END_TIMEOUT_MS);
        if (!end.signal.aborted) tell('The synthesis of insights', synthesised);
        await microDone;
        if (signal.aborted) return;
        const request = { repositoryRoot, manual: false, signal, now };
        const rewritten = await consolidatePlaybook(request, lessons, ask);
        report?.('playbook', rewritten);
        tell('The rewrite of the playbook', rewritten);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** What a loop has shown so far, and what is to be looked at beside it. */
class Session {
  loopId = '';
  readonly observations: Observation[] = [];
  readonly entries: MicroEntry[] = [];
  /** Nothing is waited for any longer. */
  readonly stop = new AbortController();
  #queue: Promise<void> = Promise.resolve();

  /** Nothing failed, so there is little that a model would find. */
  get isWorthAsking(): boolean {
    return this.observations.some(({ passed }) => !passed);
  }

  add(outcome: AttemptOutcome, observation: Observation): void {
    this.loopId = outcome.loopId;
    if (this.observations.some(({ id }) => id === observation.id)) return;
    this.observations.push(observation);
    this.entries.push(...entriesOf(observation, outcome.task, outcome.trajectory));
  }

  get isNew(): boolean {
    return this.observations.length === 0;
  }

  /** What a resumed loop did before: as far as its observations tell. */
  takeUp(all: readonly Observation[], { loopId, iteration, task }: AttemptOutcome): void {
    const earlier = all.filter((one) => one.loop_id === loopId && one.iteration < iteration - 1);
    this.observations.push(...earlier);
    this.entries.push(...earlier.flatMap((one) => entriesOf(one, task)));
  }

  until(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.stop.signal]);
  }

  later(act: () => Promise<void>): void {
    this.#queue = this.#queue.then(act).catch(() => undefined);
  }

  settled(): Promise<void> {
    return this.#queue;
  }
}

/** Playbook and insights as a prompt is told them, bounded; what no attempt has shown, or was withdrawn, is left out. */
async function readSlots(
  repositoryRoot: string,
  lessons: readonly Lesson[],
): Promise<Omit<MemoryContext, 'lessons'>> {
  const text = await readPlaybookText(repositoryRoot, lessons);
  const insights = activeInsights(await readInsights(repositoryRoot))
    .filter((insight) => insight.verified && !isWithdrawn(insight, lessons))
    .slice(0, TOLD.insights)
    .map((insight) => line(insight.text, TOLD.insight));
  return { insights, ...(text !== undefined && { playbook: boundBytes(text.trim(), TOLD.playbook) }) };
}

function seenIn({ loopId, iteration, task, trajectory, evaluation, previous, changes }: AttemptOutcome) {
  const files = changes.files.map(({ path }) => path);
  return { loopId, iteration, task, trajectory, evaluation, previous, files };
}

function triggerOf({ status }: LoopEnd): MicroTrigger {
  if (status === 'passed' || status === 'nothing_to_do') return 'loop_passed';
  return status === 'aborted' || status === 'error' ? 'loop_aborted' : 'loop_stopped';
}
