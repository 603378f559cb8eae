import type { AnalysisLessons, Lesson } from '../../schema/generated.ts';
import type { LoopHistory } from './history.ts';
import { shareOf, shareOfCounts } from './shares.ts';

/** Lessons that are shown one by one. */
const SHOWN = 10;

/**
 * How often lessons were told, in how many loops after the one that they came from, and what the evaluator saw then:
 * support, or contradiction.
 */
export function lessonEffects(lessons: readonly Lesson[], loops: readonly LoopHistory[]): AnalysisLessons {
  const tellings = loops.flatMap(({ id, attempts }) =>
    attempts.flatMap(({ told }) => told.map((lesson) => ({ id, lesson }))),
  );
  const loopsOf = Map.groupBy(tellings, ({ lesson }) => lesson);
  const effects = lessons.map(({ id, text, status, source, support, contradiction }) => {
    const told = loopsOf.get(id) ?? [];
    const later = new Set(told.map((telling) => telling.id).filter((loop) => loop !== source.loop_id));
    return { id, text, status, told: told.length, loops: later.size, support, contradiction };
  });
  const sum = (key: 'support' | 'contradiction'): number =>
    effects.reduce((total, effect) => total + effect[key], 0);
  return {
    lessons: lessons.length,
    attempts_told: loops.flatMap(({ attempts }) => attempts.filter(({ told }) => told.length > 0)).length,
    reused: shareOf(effects, (effect) => effect.loops > 0),
    helped: shareOfCounts(sum('support'), sum('support') + sum('contradiction')),
    most_told: effects
      .filter(({ told, support, contradiction }) => told + support + contradiction > 0)
      .sort((a, b) => b.told - a.told || b.support - a.support || (a.id < b.id ? -1 : 1))
      .slice(0, SHOWN),
  };
}
