import type { AnalysisLessons, Lesson } from '../../schema/generated.ts';
import type { LoopHistory } from './history.ts';
import { shareOf, shareOfCounts } from '../statistics/shares.ts';

/** Most lessons that are listed. */
const MOST_LISTED = 10;

/**
 * How often lessons were shown to attempts, in how many loops other than the one they came from, and their effects
 * (support or contradiction).
 */
export function lessonEffects(lessons: readonly Lesson[], loops: readonly LoopHistory[]): AnalysisLessons {
  const uses = loops.flatMap(({ id, attempts }) =>
    attempts.flatMap(({ shown }) => shown.map((lesson) => ({ id, lesson }))),
  );
  const usesOf = Map.groupBy(uses, ({ lesson }) => lesson);
  const effects = lessons.map(({ id, text, status, source, support, contradiction }) => {
    const own = usesOf.get(id) ?? [];
    const others = new Set(own.map((use) => use.id).filter((loop) => loop !== source.loop_id));
    return { id, text, status, told: own.length, loops: others.size, support, contradiction };
  });
  const sum = (key: 'support' | 'contradiction'): number =>
    effects.reduce((total, effect) => total + effect[key], 0);
  return {
    lessons: lessons.length,
    attempts_told: loops.flatMap(({ attempts }) => attempts.filter(({ shown }) => shown.length > 0)).length,
    reused: shareOf(effects, (effect) => effect.loops > 0),
    helped: shareOfCounts(sum('support'), sum('support') + sum('contradiction')),
    most_told: effects
      .filter(({ told, support, contradiction }) => told + support + contradiction > 0)
      .sort((a, b) => b.told - a.told || b.support - a.support || (a.id < b.id ? -1 : 1))
      .slice(0, MOST_LISTED),
  };
}
