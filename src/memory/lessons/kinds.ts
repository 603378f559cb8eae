import type { LessonStatus, LessonSubject, LessonType } from '../../schema/generated.ts';

/** What lessons may be, as it is offered to whoever chooses; the schema of a lesson has the same words. */
export const LESSON_TYPES: readonly LessonType[] = [
  ...([
    'command',
    'environment',
    'convention',
    'constraint',
    'pitfall',
    'fix_pattern',
    'preference',
  ] as const),
];
export const LESSON_SUBJECTS: readonly LessonSubject[] = ['operator', 'project', 'agent'];
export const LESSON_STATUSES: readonly LessonStatus[] = ['staged', 'active', 'superseded', 'archived'];
