import type { LessonStatus, LessonSubject, LessonType } from '../../schema/generated.ts';

/** Values of a lesson's fields, in the order in which commands offer them; the same as in its schema. */
export const LESSON_TYPES: readonly LessonType[] = [
  'command',
  'environment',
  'convention',
  'constraint',
  'pitfall',
  'fix_pattern',
  'preference',
];
export const LESSON_SUBJECTS: readonly LessonSubject[] = ['operator', 'project', 'agent'];
export const LESSON_STATUSES: readonly LessonStatus[] = ['staged', 'active', 'superseded', 'archived'];
