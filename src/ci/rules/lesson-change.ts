import type { Lesson } from '../../schema/generated.ts';

/** Attempts that one loop can count for or against a lesson. */
const MAX_COUNTED = 20;
/** How far one loop can lower what a lesson of others weighs; a drop up to the second value is the usual decay. */
const MAX_DROP = 0.25;
const DECAY = 0.1;
/** Passes that write down what a person or another program said: no loop of CI runs them. */
const STATED = new Set<Lesson['source']['pass']>(['user', 'mcp', 'import']);

/** True if a loop may add a lesson: it says that it is its own, and counts no more than a loop can. Pure. */
export function mayAdd({ source, support, contradiction }: Lesson, loopId: string): boolean {
  const isOwn = source.loop_id === undefined || source.loop_id === loopId;
  return isOwn && !STATED.has(source.pass) && Math.max(support, contradiction) <= MAX_COUNTED;
}

/**
 * The effect of a loop on a stored lesson: nothing that weakens it, weakens it within the share of one loop, or what no loop
 * may: more than that, or another origin. Pure.
 */
export function changeOf(before: Lesson, after: Lesson): 'harmless' | 'weakens' | 'refused' {
  if (JSON.stringify(before.source) !== JSON.stringify(after.source)) return 'refused';
  const counted = [after.support - before.support, after.contradiction - before.contradiction];
  if (counted.some((more) => more < 0 || more > MAX_COUNTED)) return 'refused';
  const drop = Math.max(before.confidence - after.confidence, before.importance - after.importance);
  if (drop > MAX_DROP) return 'refused';
  return drop > DECAY || counted[1]! > 0 ? 'weakens' : 'harmless';
}
