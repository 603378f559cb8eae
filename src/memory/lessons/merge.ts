import { redactValue } from '../../platform/redaction/redact.ts';
import type { Lesson } from '../../schema/generated.ts';
import { validate } from '../../schema/validate.ts';
import type { LessonBook } from './book.ts';
import { makeRoom } from './gate/cap.ts';
import { keepSafe } from './gate/safety.ts';
import { archive } from './admit.ts';
import { lessonId } from './lesson-id.ts';
import { isStanding } from './standing.ts';
import { LEFT_FOR_ROOM } from './status-reasons.ts';

/** The result of a merge. */
export interface LessonMerge {
  readonly added: number;
  readonly changed: number;
  readonly refused: number;
}

/** Which of two versions of a lesson decides on its status, wording and pin. */
export type Preference = 'stored' | 'newest';

const MAX = { evidence: 20, files: 50, fingerprints: 50, counted: 20 } as const;

/**
 * Takes lessons of the same repository from another store into the book. They passed the gate there; its checks of safety
 * and room are made again. Merging twice, or in another order, gives the same.
 */
export function mergeLessons(
  book: LessonBook,
  incoming: readonly Lesson[],
  preference: Preference,
): LessonMerge {
  const counts = { added: 0, changed: 0, refused: 0 };
  for (const given of incoming) {
    const lesson = checked(given);
    const known = lesson === undefined ? undefined : book.get(lesson.id);
    if (lesson === undefined || (known === undefined && !isRoomFor(book, lesson))) counts.refused++;
    else if (known === undefined) counts.added += Number(book.keep(lesson));
    else counts.changed += Number(book.keep(mergeTwo(known, lesson, preference)));
  }
  return counts;
}

/** Undefined for a lesson that this store would not have admitted. */
function checked(given: Lesson): Lesson | undefined {
  const found = validate('lesson', redactValue(given));
  if (!found.ok) return undefined;
  const lesson = found.value;
  return lesson.id === lessonId(lesson) && keepSafe(lesson).ok ? lesson : undefined;
}

function isRoomFor(book: LessonBook, lesson: Lesson): boolean {
  if (!isStanding(lesson)) return true;
  const leaving = makeRoom(lesson.subject, book.lessons);
  for (const weakest of leaving ?? []) archive(book, weakest, LEFT_FOR_ROOM);
  return leaving !== undefined;
}

/** Counts are the higher ones, lists have the items of both. */
function mergeTwo(stored: Lesson, other: Lesson, preference: Preference): Lesson {
  const isStored = preference === 'stored' || isAtLeastAsNew(stored, other);
  const [first, second] = isStored ? [stored, other] : [other, stored];
  return {
    ...first,
    support: Math.max(first.support, second.support),
    contradiction: Math.max(first.contradiction, second.contradiction),
    evidence: distinct([...first.evidence, ...second.evidence], ({ quote }) => quote).slice(0, MAX.evidence),
    files: distinct([...first.files, ...second.files]).slice(0, MAX.files),
    fingerprints: distinct([...first.fingerprints, ...second.fingerprints]).slice(0, MAX.fingerprints),
    ...(first.counted === undefined && second.counted === undefined
      ? {}
      : { counted: distinct([...(second.counted ?? []), ...(first.counted ?? [])]).slice(-MAX.counted) }),
    created_at: first.created_at < second.created_at ? first.created_at : second.created_at,
  };
}

function isAtLeastAsNew(a: Lesson, b: Lesson): boolean {
  const [first, second] = [Date.parse(a.updated_at), Date.parse(b.updated_at)];
  return first === second ? JSON.stringify(a) >= JSON.stringify(b) : first > second;
}

function distinct<T>(items: readonly T[], key: (item: T) => unknown = (item) => item): T[] {
  const seen = new Map(items.map((item) => [key(item), item]));
  return [...seen.values()];
}
