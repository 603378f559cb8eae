import { createHash } from 'node:crypto';
import type { Lesson } from '../../schema/generated.ts';
import { normalStatement } from '../text/statement.ts';

/** The fields that identify a lesson. */
export type LessonIdentity = Pick<Lesson, 'text' | 'type' | 'subject'>;

/** `lesson-` and 12 hex digits: always the same for the same normalised text, type and subject. */
export function lessonId({ text, type, subject }: LessonIdentity): string {
  const digest = createHash('sha256')
    .update([normalStatement(text), type, subject].join('\0'))
    .digest('hex');
  return `lesson-${digest.slice(0, 12)}`;
}
