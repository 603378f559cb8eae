import type { AttemptOutcome, LoopEnd, MemoryContext } from '../../ports/memory.ts';
import type { Lesson } from '../../schema/generated.ts';
import type { Grounds, LessonCandidate, LessonStore, PassResult } from '../lessons/contract.ts';
import { LESSON_STATUSES } from '../lessons/kinds.ts';
import { readSlots } from './slots.ts';
import type { AskModel } from './common/ask.ts';
import { createBackgroundSynthesis } from './insights/background.ts';
import { synthesiseInsights } from './insights/pass.ts';
import { isInsightDue, type InsightSettings } from './insights/settings.ts';
import { readInsights } from './insights/store.ts';
import { digestSessions } from './micro/digest.ts';
import type { MicroEntry } from './micro/entries.ts';
import { reflectOnSession } from './micro/pass.ts';
import type { MicroTrigger } from './micro/settings.ts';
import { outgrownEntries } from './micro/window.ts';
import type { ScoreImportance } from './observe/importance.ts';
import { commitObservation } from './observe/pass.ts';
import { readObservations } from './observe/store.ts';
import { consolidatePlaybook } from './playbook/pass.ts';
import { Session } from './session.ts';
import { validateLessons } from './validate/pass.ts';

/** Settings of the passes. */
export interface PassSettings {
  readonly validateLessons: boolean;
  readonly microReflection: boolean;
  readonly insights: InsightSettings;
}

/** Passes as events name them. */
export type PassName = 'validation' | 'insights' | 'playbook' | 'micro_reflection' | 'digest';

export interface PassesOptions {
  /** Absolute path. */
  readonly repositoryRoot: string;
  readonly lessons: LessonStore;
  /** Without a model, rules do the work. */
  readonly ask?: AskModel | undefined;
  readonly settings: PassSettings;
  /** Called with a sentence about each pass that fell back or was rejected. */
  readonly warn: (text: string) => void;
  /** Called with the result of each pass. */
  readonly report?: ((pass: PassName, result: PassResult<object>) => void) | undefined;
  readonly now?: (() => Date) | undefined;
  /** Importance of an attempt; default: by reward, new failures and a flipped outcome. */
  readonly score?: ScoreImportance | undefined;
  /** Time limit of all passes at the loop's end together, and of one validation; default 30,000. */
  readonly endTimeoutMs?: number;
}

/** The passes of one loop. */
export interface LoopPasses {
  /** Playbook and insights for the next attempt, bounded, without the lesson of this id. */
  slots(without?: string): Promise<Omit<MemoryContext, 'lessons'>>;
  /** Validates the drafts of a reflection before they go to the gate. Never rejects. */
  validate(
    drafts: readonly LessonCandidate[],
    about: { readonly outcome: AttemptOutcome; readonly grounds: Grounds },
  ): Promise<readonly LessonCandidate[]>;
  /** Stores the attempt, then starts what is due in the background. */
  afterAttempt(outcome: AttemptOutcome): Promise<void>;
  atLoopEnd(end: LoopEnd): Promise<void>;
}

const END_TIMEOUT_MS = 30_000;

/** Creates the passes of one loop. A pass that does not finish in time stays due. */
export function createPasses(options: PassesOptions): LoopPasses {
  const { repositoryRoot, lessons, ask, settings, now, endTimeoutMs = END_TIMEOUT_MS } = options;
  const session = new Session();

  const report = (pass: PassName, title: string, result: PassResult<object>): void => {
    options.report?.(pass, result);
    warnOf(title, result);
  };
  const warnOf = (title: string, { status, reason }: PassResult<unknown>): void => {
    if (status === 'fallback') options.warn(`${title} failed: ${reason}`);
    if (status === 'rejected') options.warn(`${title} was rejected: ${reason}`);
  };

  const insights = createBackgroundSynthesis(async (signal) => {
    const request = { repositoryRoot, settings: settings.insights, manual: false, signal, now };
    const result = await synthesiseInsights(request, lessons, ask);
    options.report?.('insights', result);
    return result;
  });
  const microReflect = async (
    trigger: MicroTrigger,
    entries: readonly MicroEntry[],
    signal: AbortSignal,
  ): Promise<void> => {
    const { loopId, observations } = session;
    const enabled = settings.microReflection;
    const request = { repositoryRoot, loopId, trigger, enabled, entries, observations, signal };
    const model = session.hasFailures && !signal.aborted ? ask : undefined;
    report('micro_reflection', 'Micro-reflection', await reflectOnSession(request, lessons, model));
  };
  const digest = async (signal: AbortSignal): Promise<void> => {
    const request = { repositoryRoot, enabled: settings.microReflection, manual: false, signal, now };
    report('digest', 'The digest', await digestSessions(request, lessons, ask));
  };
  const consolidate = async (signal: AbortSignal): Promise<void> => {
    const request = { repositoryRoot, manual: false, signal, now };
    report('playbook', 'The rewrite of the playbook', await consolidatePlaybook(request, lessons, ask));
  };

  return {
    async slots(without) {
      const all = await lessons.list(LESSON_STATUSES);
      const asArchived = (lesson: Lesson): Lesson =>
        lesson.id === without ? { ...lesson, status: 'archived' } : lesson;
      return readSlots(repositoryRoot, all.map(asArchived));
    },
    async validate(drafts, { outcome, grounds }) {
      if (!settings.validateLessons || grounds.kind !== 'texts') return drafts;
      const { signal } = outcome;
      const request = { repositoryRoot, drafts, record: grounds.texts, signal, timeoutMs: endTimeoutMs };
      const { candidates, result } = await validateLessons(request, lessons, ask);
      report('validation', 'The validation of lessons', result);
      return candidates;
    },
    async afterAttempt(outcome) {
      const { iteration, signal, trajectory } = outcome;
      const files = outcome.changes.files.map(({ path }) => path);
      const attempt = { ...outcome, files };
      const observation = await commitObservation(repositoryRoot, attempt, { now, score: options.score });
      if (session.isEmpty && iteration > 1) session.restore(await readObservations(repositoryRoot), outcome);
      session.add(outcome, observation);
      if (isInsightDue(observation.seq, await readInsights(repositoryRoot), settings.insights))
        insights.start();
      if (trajectory.outcome === 'out_of_budget')
        session.enqueue(() => microReflect('context_pressure', session.entries, session.signalWith(signal)));
      const outgrown = outgrownEntries(session.entries);
      if (outgrown.length > 0)
        session.enqueue(() => microReflect('pre_compaction', outgrown, session.signalWith(signal)));
      if (ask === undefined) await session.settled();
    },
    async atLoopEnd(end) {
      const { stop } = session;
      const timer = setTimeout(() => stop.abort(), endTimeoutMs);
      const signal = AbortSignal.any([stop.signal, end.signal]);
      signal.addEventListener('abort', () => insights.abort(), { once: true });
      if (signal.aborted) insights.abort();
      try {
        const reflected = session
          .settled()
          .then(() => microReflect(endTrigger(end), session.entries, signal))
          .then(() => (signal.aborted ? undefined : digest(signal)));
        const synthesis = await insights.settle(endTimeoutMs);
        if (synthesis !== undefined && !end.signal.aborted) warnOf('The synthesis of insights', synthesis);
        await reflected;
        if (!signal.aborted) await consolidate(signal);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function endTrigger({ status }: LoopEnd): MicroTrigger {
  if (status === 'passed' || status === 'nothing_to_do') return 'loop_passed';
  return status === 'aborted' || status === 'error' ? 'loop_aborted' : 'loop_stopped';
}
