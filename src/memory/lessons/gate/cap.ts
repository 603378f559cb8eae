import type { Lesson } from '../../../schema/generated.ts';
import { isStanding } from '../standing.ts';

/** Lessons of one subject that stand at a time. */
export const MOST_STANDING = 120;

/** Confidence times what the evaluator saw of it; 0..1 for a lesson that no attempt was told of. */
export function strengthOf({ confidence, support, contradiction }: Lesson): number {
  return (confidence * 2 * (support + 1)) / (support + contradiction + 2);
}

/**
 * Which standing lessons of a subject have to leave so that one more has room: the weakest first, of equals the one
 * that was touched longest ago; pinned ones stay. Undefined: all of them are pinned, and there is no room.
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
