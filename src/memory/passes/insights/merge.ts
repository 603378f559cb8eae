import type { AttemptRef, Insight } from '../../../schema/generated.ts';
import { saysTheSame } from '../common/words.ts';

const MOST_STORED = 500;

/**
 * Insights with new ones among them: those that say the same become one with the evidence of both and the higher
 * importance, the most important `capacity` stay active, the rest is archived. Of equally important ones the older
 * stands first.
 */
export function mergeInsights(
  stored: readonly Insight[],
  fresh: readonly Insight[],
  capacity: number,
): Insight[] {
  const archived = stored.filter((insight) => insight.archived !== undefined);
  const active = stored.filter((insight) => insight.archived === undefined);
  for (const insight of fresh) {
    const at = active.findIndex((one) => one.id === insight.id || saysTheSame(one.text, insight.text));
    if (at === -1) active.push(insight);
    else active[at] = joined(active[at]!, insight);
  }
  const sorted = active
    .map((insight, index) => ({ insight, index }))
    .sort((a, b) => b.insight.importance - a.insight.importance || a.index - b.index)
    .map(({ insight }) => insight);
  const kept = sorted.slice(0, capacity);
  const left = sorted
    .slice(capacity)
    .map((insight) => ({ ...insight, archived: `Less important than ${capacity} others.` }));
  const keptIds = new Set(kept.map(({ id }) => id));
  const older = [...left, ...archived].filter(({ id }, index, all) => {
    return !keptIds.has(id) && all.findIndex((one) => one.id === id) === index;
  });
  return [...kept, ...older].slice(0, MOST_STORED);
}

/** The older wording stays, unless only the newer one has something to show for it. */
function joined(older: Insight, newer: Insight): Insight {
  const said = newer.verified && !older.verified ? { ...older, text: newer.text, id: newer.id } : older;
  const lessonId = older.lesson_id ?? newer.lesson_id;
  return {
    ...said,
    importance: Math.max(older.importance, newer.importance),
    evidence: distinct([...older.evidence, ...newer.evidence]).slice(-20),
    verified: older.verified || newer.verified,
    ...(lessonId !== undefined && { lesson_id: lessonId }),
  };
}

function distinct(attempts: readonly AttemptRef[]): AttemptRef[] {
  const byName = new Map(attempts.map((one) => [`${one.loop_id}#${one.iteration}`, one]));
  return [...byName.values()];
}
