import type { Lesson } from '../../schema/generated.ts';

/** True for a lesson that attempts may be shown: staged or active. */
export function isStanding({ status }: Pick<Lesson, 'status'>): boolean {
  return status === 'staged' || status === 'active';
}

/** Contradictions minus supports from which a lesson is archived. */
const GIVEN_UP_AT = 3;

/** True for a lesson with at least three more contradictions than supports. */
export function isGivenUp({ support, contradiction }: Pick<Lesson, 'support' | 'contradiction'>): boolean {
  return contradiction - support >= GIVEN_UP_AT;
}

/** The lesson in a standing status, without a status reason and a successor. */
export function inStatus(lesson: Lesson, status: 'staged' | 'active'): Lesson {
  const { status_reason, superseded_by, ...rest } = lesson;
  return status_reason === undefined && superseded_by === undefined && lesson.status === status
    ? lesson
    : { ...rest, status };
}
