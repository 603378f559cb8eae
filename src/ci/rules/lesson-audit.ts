import type { Lesson, LessonAudit } from '../../schema/generated.ts';

/** The loop of a job, and when its result is published, ISO 8601. */
export interface Published {
  readonly loopId: string;
  readonly at: string;
}

/**
 * The line of the history for a lesson that a job's result changes; undefined if nothing is to say. The job's own history is
 * not stored, because code in it could say that a person approved. Pure.
 */
export function auditOf(
  before: Lesson | undefined,
  { id, text, status, support, contradiction }: Lesson,
  { loopId, at }: Published,
): LessonAudit | undefined {
  const counted =
    before === undefined || before.status !== status
      ? status
      : support > before.support
        ? 'support'
        : contradiction > before.contradiction
          ? 'contradiction'
          : undefined;
  return (
    counted && {
      at,
      action: counted,
      lessonId: id,
      text: text.slice(0, 300),
      reason: `By the loop ${loopId} in CI.`,
    }
  );
}
