import { RalphError } from '../../errors.ts';
import { LESSON_STATUSES } from '../../memory/lessons/kinds.ts';
import { createLessonStore } from '../../memory/lessons/store.ts';
import { pathOfLines } from '../../memory/lessons/line-file.ts';
import type { Lesson } from '../../schema/generated.ts';
import { RALPH_PATHS } from '../../platform/ralph-folder.ts';
import type { AttemptRecord } from './attempt-record.ts';
import type { DamagedPart } from './loop-record.ts';

/** What long-term memory gave a loop, and got of it. */
export interface MemoryRecord {
  /** Lessons that an attempt was told of, in the order in which they were told first. */
  readonly told: readonly ShownLessonRecord[];
  /** Lessons that this loop's reflections brought, the newest first. */
  readonly learned: readonly Lesson[];
}

export interface ShownLessonRecord {
  readonly id: string;
  /** As it is now; null where it is no longer there. */
  readonly lesson: Lesson | null;
  /** Attempts that were told of it. */
  readonly attempts: readonly number[];
  /** What the evaluator saw of it. */
  readonly effects: readonly LessonEffect[];
}

export interface LessonEffect {
  readonly iteration: number;
  /** `support`: what it is about was mended; `contradiction`: the same failed again. */
  readonly effect: 'support' | 'contradiction';
}

/** Lessons of a loop and their effects, from the lessons' own files. Damaged lines are told in `damaged`. */
export async function readMemoryRecord({
  repositoryRoot,
  loopId,
  attempts,
  damaged,
}: {
  readonly repositoryRoot: string;
  readonly loopId: string;
  readonly attempts: readonly AttemptRecord[];
  readonly damaged: DamagedPart[];
}): Promise<MemoryRecord> {
  const onDamaged = (): void =>
    void damaged.push({ path: pathOfLines('lessons.jsonl'), problem: 'has damaged lines' });
  const store = createLessonStore({ repositoryRoot, onDamaged });
  const lessons = await readable(() => store.list(LESSON_STATUSES), damaged);
  const known = new Map(lessons.map((lesson) => [lesson.id, lesson]));
  const effects = effectsIn(await readable(() => store.history(), damaged), loopId);
  const told = attempts.flatMap(({ iteration, trajectory, reflection }) => {
    const ids = trajectory?.memory?.lessons ?? reflection?.previous_lessons_used ?? [];
    return ids.map((id) => ({ id, iteration }));
  });
  return {
    told: [...Map.groupBy(told, ({ id }) => id)].map(([id, all]) => ({
      id,
      lesson: known.get(id) ?? null,
      attempts: all.map(({ iteration }) => iteration),
      effects: effects.filter((effect) => effect.lessonId === id).map(({ lessonId: _, ...effect }) => effect),
    })),
    learned: lessons.filter(({ source }) => source.loop_id === loopId),
  };
}

/** Nothing where the files of memory cannot be read: that is told, and stops no report. */
async function readable<T>(read: () => Promise<readonly T[]>, damaged: DamagedPart[]): Promise<readonly T[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    damaged.push({ path: RALPH_PATHS.memory(), problem: `cannot be read: ${error.message}` });
    return [];
  }
}

type LessonHistory = Awaited<ReturnType<ReturnType<typeof createLessonStore>['history']>>;

/** The audit names the attempt that showed an effect at the start of its reason: `<loop-id> attempt <n>: …`. */
function effectsIn(history: LessonHistory, loopId: string): (LessonEffect & { lessonId: string })[] {
  return history.flatMap(({ action, lessonId, reason }) => {
    if (lessonId === null || (action !== 'support' && action !== 'contradiction')) return [];
    const [, loop, number] = /^(\S+) attempt (\d{1,9}): /.exec(reason) ?? [];
    return loop === loopId ? [{ lessonId, effect: action, iteration: Number(number) }] : [];
  });
}
