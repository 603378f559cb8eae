import type { AttemptRef, Insight } from '../../../schema/generated.ts';
import { isSameSentence } from '../../text/likeness.ts';
import { MOST_EVIDENCE } from './proposal.ts';

const MOST_STORED = 500;

/**
 * Merges new insights into the stored ones. Insights that say the same become one, with the evidence of both and the
 * higher importance. The `capacity` most important stay active, the others are archived; equally important ones keep
 * their order.
 */
export function mergeInsights(
  stored: readonly Insight[],
  fresh: readonly Insight[],
  capacity: number,
): Insight[] {
  const archived = stored.filter((insight) => insight.archived !== undefined);
  const active = stored.filter((insight) => insight.archived === undefined);
  for (const insight of fresh) {
    const at = active.findIndex((one) => one.id === insight.id || isSameSentence(one.text, insight.text));
    if (at === -1) active.push(insight);
    else active[at] = mergeTwo(active[at]!, insight);
  }
  const sorted = active
    .map((insight, index) => ({ insight, index }))
    .sort((a, b) => b.insight.importance - a.insight.importance || a.index - b.index)
    .map(({ insight }) => insight);
  const kept = sorted.slice(0, capacity);
  const evicted = sorted
    .slice(capacity)
    .map((insight) => ({ ...insight, archived: `Less important than ${capacity} others.` }));
  const keptIds = new Set(kept.map(({ id }) => id));
  const older = [...evicted, ...archived].filter(({ id }, index, all) => {
    return !keptIds.has(id) && all.findIndex((one) => one.id === id) === index;
  });
  return [...kept, ...older].slice(0, MOST_STORED);
}

/** The older wording stays, unless only the newer one is verified. */
function mergeTwo(older: Insight, newer: Insight): Insight {
  const wording = newer.verified && !older.verified ? { ...older, text: newer.text, id: newer.id } : older;
  return {
    ...wording,
    importance: Math.max(older.importance, newer.importance),
    evidence: distinct([...older.evidence, ...newer.evidence]).slice(-MOST_EVIDENCE),
    verified: older.verified || newer.verified,
    lesson_id: older.lesson_id ?? newer.lesson_id,
  };
}

function distinct(attempts: readonly AttemptRef[]): AttemptRef[] {
  const byAttempt = new Map(attempts.map((one) => [`${one.loop_id}#${one.iteration}`, one]));
  return [...byAttempt.values()];
}
