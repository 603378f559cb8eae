import { RalphError } from '../../errors.ts';
import { LESSON_STATUSES } from '../../memory/lessons/kinds.ts';
import { createLessonStore } from '../../memory/lessons/store.ts';
import { memoryPath } from '../../memory/files/memory-folder.ts';
import type { Lesson } from '../../schema/generated.ts';
import { RALPH_PATHS } from '../../platform/ralph-folder.ts';
import type { AttemptRecord } from './attempt-record.ts';
import type { DamagedPart } from './loop-record.ts';

/** Lessons that a loop recalled from long-term memory, and lessons that it added. */
export interface MemoryRecord {
  /** Lessons in the prompt of an attempt, in order of their first use. */
  readonly recalled: readonly RecalledLesson[];
  /** Lessons learned from this loop's reflections, newest first. */
  readonly learned: readonly Lesson[];
}

/** A lesson that was in the prompt of at least one attempt. */
export interface RecalledLesson {
  readonly id: string;
  /** Current version; null if it was deleted. */
  readonly lesson: Lesson | null;
  /** Attempts whose prompt had the lesson. */
  readonly attempts: readonly number[];
  /** Effects that the evaluator observed. */
  readonly effects: readonly LessonEffect[];
}

/** The effect of a lesson in one attempt. */
export interface LessonEffect {
  readonly iteration: number;
  /** `support`: the failure of the lesson was fixed; `contradiction`: the same failure occurred again. */
  readonly effect: 'support' | 'contradiction';
}

/** Reads the lessons of a loop and their effects from the lesson store. Damaged lines are added to `damaged`. */
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
    void damaged.push({ path: memoryPath('lessons.jsonl'), problem: 'has damaged lines' });
  const store = createLessonStore({ repositoryRoot, onDamaged });
  const lessons = await readOrReport(() => store.list(LESSON_STATUSES), damaged);
  const known = new Map(lessons.map((lesson) => [lesson.id, lesson]));
  const effects = effectsIn(await readOrReport(() => store.history(), damaged), loopId);
  const uses = attempts.flatMap(({ iteration, trajectory, reflection }) => {
    const ids = trajectory?.memory?.lessons ?? reflection?.previous_lessons_used ?? [];
    return ids.map((id) => ({ id, iteration }));
  });
  return {
    recalled: [...Map.groupBy(uses, ({ id }) => id)].map(([id, all]) => ({
      id,
      lesson: known.get(id) ?? null,
      attempts: all.map(({ iteration }) => iteration),
      effects: effects.filter((effect) => effect.lessonId === id).map(({ lessonId: _, ...effect }) => effect),
    })),
    learned: lessons.filter(({ source }) => source.loop_id === loopId),
  };
}

/** Empty if the memory files cannot be read: the problem is reported, but the report is still made. */
async function readOrReport<T>(
  read: () => Promise<readonly T[]>,
  damaged: DamagedPart[],
): Promise<readonly T[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    damaged.push({ path: RALPH_PATHS.memory(), problem: `cannot be read: ${error.message}` });
    return [];
  }
}

type LessonHistory = Awaited<ReturnType<ReturnType<typeof createLessonStore>['history']>>;

/** Effects in the audit log, whose reasons begin with `<loop-id> attempt <n>: `. */
function effectsIn(history: LessonHistory, loopId: string): (LessonEffect & { lessonId: string })[] {
  return history.flatMap(({ action, lessonId, reason }) => {
    if (lessonId === null || (action !== 'support' && action !== 'contradiction')) return [];
    const [, loop, number] = /^(\S+) attempt (\d{1,9}): /.exec(reason) ?? [];
    return loop === loopId ? [{ lessonId, effect: action, iteration: Number(number) }] : [];
  });
}
