import type { Lesson } from '../../schema/generated.ts';

/** True for a lesson that attempts may be told of: proposed or confirmed. */
export function isStanding({ status }: Pick<Lesson, 'status'>): boolean {
  return status === 'staged' || status === 'active';
}

/** The lesson in a status that it is in for no reason of its own, and replaced by none. */
export function inStatus(lesson: Lesson, status: 'staged' | 'active'): Lesson {
  const { status_reason, superseded_by, ...rest } = lesson;
  return status_reason === undefined && superseded_by === undefined && lesson.status === status
    ? lesson
    : { ...rest, status };
}
