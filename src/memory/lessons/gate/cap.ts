import type { Lesson } from '../../../schema/generated.ts';
import { isStanding } from '../standing.ts';

/** Most standing lessons of one subject. */
export const MOST_STANDING = 120;

/**
 * Confidence × 2·(support + 1) ÷ (support + contradiction + 2): equal to the confidence (0..1) without any effect, up to
 * twice of it with supports only.
 */
export function strengthOf({ confidence, support, contradiction }: Lesson): number {
  return (confidence * 2 * (support + 1)) / (support + contradiction + 2);
}

/**
 * The standing lessons of a subject to archive so that one more fits: the weakest, among equals the one changed longest
 * ago, never a pinned one. Undefined where pinned lessons leave no room.
 */
export function makeRoom(
  subject: Lesson['subject'],
  stored: readonly Lesson[],
  most = MOST_STANDING,
): readonly Lesson[] | undefined {
  const standing = stored.filter((lesson) => lesson.subject === subject && isStanding(lesson));
  const over = standing.length + 1 - most;
  if (over <= 0) return [];
  const leaving = standing
    .filter(({ pinned }) => !pinned)
    .sort((a, b) => strengthOf(a) - strengthOf(b) || (a.updated_at < b.updated_at ? -1 : 1))
    .slice(0, over);
  return leaving.length < over ? undefined : leaving;
}
