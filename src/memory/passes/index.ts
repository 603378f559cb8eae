/**
 * Long-term memory of a loop on one screen:
 *
 *   before the first    withhold     at random, what the loop is not told (../experiment)
 *   before an attempt   recall       playbook, insights and the lessons that apply (../recall)
 *   after an attempt    count        the lessons' own tests of truth (../lessons/effects.ts)
 *                       observe      the attempt as a record; every 15 attempts insights, in the background
 *                       draft        lessons of the attempt's reflection
 *                       validate     drafts against the record of the attempt, where the setting is on
 *                       admit        the one gate of lessons (../lessons/admit.ts)
 *   at the loop's end   micro        facts from the session, then a daily digest of killed loops
 *                       insights     wait for a synthesis that is still running
 *                       playbook     rewrite where it is due
 *                       experiment   the loop's result; archives lessons that do not help (../experiment)
 *
 * Every pass has a folder with the same files: pass.ts (entry), rules.ts (without a model), ask.ts (with one), store.ts,
 * settings.ts, render.ts, as far as it needs them. It returns `{status, reason, stats, usage}` and never rejects.
 */
import { messageOf } from '../../errors.ts';
import type { Experience } from '../../ports.ts';
import type { AttemptOutcome, MemoryContext, Situation } from '../../ports/memory.ts';
import type { LessonType, Usage, WithheldMemory } from '../../schema/generated.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import { concludeTrial, withholdFrom, type ExperimentSettings } from '../experiment/index.ts';
import { isWithheld, mayBeWithheld } from '../lessons/may-be-withheld.ts';
import type { LessonStore } from '../lessons/contract.ts';
import { effectsOf } from '../lessons/effects.ts';
import { fitMemory } from '../recall/fit.ts';
import { selectLessons } from '../recall/select.ts';
import { toldIn } from '../recall/told.ts';
import { draftsOf, groundsOf, shownBy } from './draft/rules.ts';
import type { LoopPasses } from './loop-passes.ts';

export interface ExperienceOptions {
  /** Absolute path. */
  readonly repositoryRoot: string;
  readonly lessons: LessonStore;
  readonly passes?: Partial<LoopPasses>;
  /** Absent: nothing is withheld. */
  readonly experiment?: ExperimentSettings | undefined;
  /** For an actor that can use lessons of these types only, and neither playbook nor insights. */
  readonly onlyTypes?: readonly LessonType[] | undefined;
  /** Called with a sentence about each failure of memory. */
  readonly warn: (text: string) => void;
  /** Usage of memory's models so far; default: zero. */
  readonly spent?: (() => Usage) | undefined;
}

/** Long-term memory as the loop uses it. Failures become warnings. */
export function createExperience(options: ExperienceOptions): Experience {
  const { repositoryRoot, lessons, passes = {}, onlyTypes, experiment, warn } = options;
  const orWarn = async <T>(what: string, act: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await act();
    } catch (error) {
      warn(`Memory could not ${what}: ${messageOf(error)}`);
      return undefined;
    }
  };

  const recall = async (situation: Situation): Promise<MemoryContext | undefined> => {
    const { withheld } = situation;
    const hasSlots = onlyTypes === undefined && withheld?.all !== true;
    const readSlots = () => (hasSlots ? passes.slots?.(withheld?.lesson) : undefined);
    const slots = (await orWarn('be read', readSlots)) ?? { insights: [] };
    const all = (await orWarn('be read', () => lessons.list())) ?? [];
    const usable = all.filter(
      (lesson) => (onlyTypes?.includes(lesson.type) ?? true) && !isWithheld(lesson, withheld),
    );
    const select = () => selectLessons(usable, { ...situation, repositoryRoot, slots });
    const selected = (await orWarn('be searched', select)) ?? [];
    const isEmpty = selected.length === 0 && slots.insights.length === 0 && (slots.playbook ?? '') === '';
    return isEmpty ? undefined : fitMemory({ ...slots, lessons: selected });
  };

  const withhold = async (situation: Situation): Promise<WithheldMemory | undefined> => {
    if (experiment === undefined) return undefined;
    const told = await recall(situation);
    if (told === undefined) return undefined;
    const free = toldIn(told, await lessons.list()).filter(mayBeWithheld);
    if (free.length === 0 && told.insights.length === 0 && told.playbook === undefined) return undefined;
    const ids = free.map(({ id }) => id);
    return withholdFrom(repositoryRoot, situation.loopId, { lessons: ids, settings: experiment });
  };

  const count = async (outcome: AttemptOutcome): Promise<void> => {
    const standing = await lessons.list();
    if (standing.length > 0) await lessons.count(effectsOf(outcome, standing));
  };

  const propose = async (outcome: AttemptOutcome): Promise<void> => {
    const grounds = groundsOf(outcome);
    const drafts = draftsOf(outcome);
    const validate = () => passes.validate?.(drafts, { outcome, grounds });
    const validated = drafts.length === 0 ? drafts : await orWarn('check its lessons', validate);
    await lessons.admit([...(validated ?? drafts), ...shownBy(outcome)], grounds);
  };

  return {
    withhold: (situation) => orWarn('withhold anything', () => withhold(situation)),
    recall,
    async learn(outcome) {
      await orWarn('count the effects of its lessons', () => count(outcome));
      // Before the lessons: their validation may wait for a model, and the attempt must be stored by then.
      await orWarn('store the attempt', () => passes.afterAttempt?.(outcome));
      await orWarn('store its lessons', () => propose(outcome));
    },
    async conclude(end) {
      await orWarn('be brought up to date', () => passes.atLoopEnd?.(end));
      if (experiment === undefined) return;
      const conclude = () => concludeTrial(repositoryRoot, end, { lessons, settings: experiment });
      await orWarn('store what it withheld', conclude);
    },
    get spent() {
      return options.spent?.() ?? NO_USAGE;
    },
  };
}
