import type { AnalysisExperiment, Lesson, MemoryTrial } from '../../schema/generated.ts';
import { lessonEffect, memoryEffect } from '../experiment/effect.ts';

/** Most lessons that are listed. */
const MOST_LISTED = 100;

/** What the loops without memory, and those without a single lesson, say of it. `lessons`: of every status. */
export function analyzeTrials(
  trials: readonly MemoryTrial[],
  lessons: readonly Lesson[],
): AnalysisExperiment {
  const stored = new Map(lessons.map((lesson) => [lesson.id, lesson]));
  const withheld = new Set(trials.flatMap((trial) => trial.withheld ?? []));
  const listed = [...withheld].map((id) => {
    const { text = null, status = null } = stored.get(id) ?? {};
    return { id, text, status, effect: lessonEffect(id, trials) };
  });
  return {
    memory: memoryEffect(trials),
    lessons: listed
      .filter(({ effect }) => effect.untold.n > 0)
      .sort((a, b) => b.effect.untold.n - a.effect.untold.n || (a.id < b.id ? -1 : 1))
      .slice(0, MOST_LISTED),
  };
}
