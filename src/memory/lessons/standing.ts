import type { Lesson } from '../../schema/generated.ts';

/** True for a lesson that attempts may be told of: proposed or confirmed. */
export function isStanding({ status }: Pick<Lesson, 'status'>): boolean {
  return status === 'staged' || status === 'active';
}

/** How much oftener than borne out a lesson may be contradicted before it leaves. */
const GIVEN_UP_AT = 3;

/** True for a lesson that the evaluator contradicted so often that no attempt is to be told of it. */
export function isGivenUp({ support, contradiction }: Pick<Lesson, 'support' | 'contradiction'>): boolean {
  return contradiction - support >= GIVEN_UP_AT;
}

/** The lesson in a status that it is in for no reason of its own, and replaced by none. */
export function inStatus(lesson: Lesson, status: 'staged' | 'active'): Lesson {
  const { status_reason, superseded_by, ...rest } = lesson;
  return status_reason === undefined && superseded_by === undefined && lesson.status === status
    ? lesson
    : { ...rest, status };
}
