import { messageOf } from '../../errors.ts';
import type { AttemptOutcome, Experience, MemoryContext, Situation } from '../../ports.ts';
import type { LessonType, Usage } from '../../schema/generated.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import type { LessonStore } from '../lessons/contract.ts';
import { LESSON_STATUSES } from '../lessons/kinds.ts';
import { draftsOf, fixPatternOf, groundsOf } from './drafts.ts';
import { effectsOf } from './effects.ts';
import { fitMemory } from './fit.ts';
import type { MemoryPasses } from './passes.ts';
import { selectLessons } from './select.ts';

export interface ExperienceOptions {
  /** Absolute path. */
  readonly repositoryRoot: string;
  readonly lessons: LessonStore;
  readonly passes?: MemoryPasses;
  /** Where the actor can make use of these lessons alone, and of nothing else. */
  readonly onlyTypes?: readonly LessonType[] | undefined;
  /** Told what memory could not do, as a sentence. */
  readonly warn: (text: string) => void;
  /** What models have taken so far; default: nothing. */
  readonly spent?: (() => Usage) | undefined;
}

/** Long-term memory for the loop: what applies is recalled, what came of it is counted, what is new goes to the gate. */
export function createExperience(options: ExperienceOptions): Experience {
  const { repositoryRoot, lessons, passes, onlyTypes, warn } = options;
  const quietly = async <T>(what: string, act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act();
    } catch (error) {
      warn(`Memory could not ${what}: ${messageOf(error)}`);
      return undefined;
    }
  };

  const recall = async (situation: Situation): Promise<MemoryContext | undefined> => {
    const readSlots = async () => (onlyTypes === undefined ? passes?.slots?.() : undefined);
    const slots = (await quietly('be read', readSlots)) ?? { insights: [] };
    const all = (await quietly('be read', () => lessons.list())) ?? [];
    const standing = all.filter(({ type }) => onlyTypes?.includes(type) ?? true);
    const told =
      (await quietly('be searched', () =>
        Promise.resolve(selectLessons(standing, { ...situation, repositoryRoot, slots })),
      )) ?? [];
    const isEmpty = told.length === 0 && slots.insights.length === 0 && (slots.playbook ?? '') === '';
    return isEmpty ? undefined : fitMemory({ ...slots, lessons: told });
  };

  const count = async (outcome: AttemptOutcome): Promise<void> => {
    const ids = new Set(outcome.trajectory.memory?.lessons ?? []);
    if (ids.size === 0) return;
    const told = (await lessons.list(LESSON_STATUSES)).filter(({ id }) => ids.has(id));
    await lessons.count(effectsOf(outcome, told));
  };

  const propose = async (outcome: AttemptOutcome): Promise<void> => {
    const grounds = groundsOf(outcome);
    const drafts = draftsOf(outcome);
    const validated =
      drafts.length === 0
        ? drafts
        : await quietly('check its lessons', async () => passes?.validate?.(drafts, { outcome, grounds }));
    await lessons.admit([...(validated ?? drafts), ...fixPatternOf(outcome)], grounds);
  };

  return {
    recall,
    async learn(outcome) {
      await quietly('count what came of its lessons', () => count(outcome));
      // First, since a validation of lessons may keep its model for a while: what happened is stored by then.
      await quietly('keep what was observed', async () => passes?.afterAttempt?.(outcome));
      await quietly('keep its lessons', () => propose(outcome));
    },
    async conclude(end) {
      await quietly('be brought up to date', async () => passes?.atLoopEnd?.(end));
    },
    get spent() {
      return options.spent?.() ?? NO_USAGE;
    },
  };
}
