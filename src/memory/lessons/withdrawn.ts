import type { Insight, Lesson, Playbook } from '../../schema/generated.ts';
import { isStanding } from './standing.ts';
import { LEFT_FOR_ROOM } from './status-reasons.ts';
import { normalStatement } from '../text/statement.ts';

/**
 * The playbook without lessons that were archived or superseded since it was written (their slots, and lines with
 * exactly their text), and with the current pins. Slots of lessons that are not stored stay. `lessons`: of every status.
 */
export function withoutWithdrawn<Book extends Pick<Playbook, 'narrative' | 'slots'>>(
  playbook: Book,
  lessons: readonly Lesson[],
): Book {
  const byId = new Map(lessons.map((lesson) => [lesson.id, lesson]));
  const standing = new Set(lessons.filter(isStanding).map(({ text }) => normalStatement(text)));
  const gone = new Set(
    lessons
      .map((lesson) => (isStanding(lesson) ? '' : normalStatement(lesson.text)))
      .filter((text) => text !== '' && !standing.has(text)),
  );
  const lines = playbook.narrative.split('\n');
  return {
    ...playbook,
    narrative: lines.filter((line) => !gone.has(normalStatement(line.replace(BULLET, '')))).join('\n'),
    slots: playbook.slots.flatMap((slot) => {
      const lesson = byId.get(slot.lesson_id);
      if (lesson === undefined) return [slot];
      return isStanding(lesson) ? [{ ...slot, pinned: lesson.pinned }] : [];
    }),
  };
}

/** True for an insight whose lesson was archived (other than to make room) or superseded: it is no longer shown. */
export function isWithdrawn({ lesson_id: id }: Insight, lessons: readonly Lesson[]): boolean {
  const lesson = lessons.find((one) => one.id === id);
  return lesson !== undefined && !isStanding(lesson) && lesson.status_reason !== LEFT_FOR_ROOM;
}

const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+/;
