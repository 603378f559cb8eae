import { usageError } from '../../errors.ts';
import type { Lesson } from '../../schema/generated.ts';
import { nearest } from '../../platform/text/nearest.ts';
import { admitAll, archive } from './admit.ts';
import type { LessonBook } from './book.ts';
import type { LessonStore } from './contract.ts';
import { countAll } from './count.ts';
import { createLessonFiles, type LessonFileOptions } from './lesson-files.ts';
import type { LessonRecords } from './records.ts';

export type LessonStoreOptions = LessonFileOptions;

const STANDING: readonly Lesson['status'][] = ['staged', 'active'];

/** The lessons of a repository's files. */
export function createLessonStore(options: LessonStoreOptions): LessonStore {
  return lessonStoreOn(createLessonFiles(options));
}

/** The lessons in any place that holds records: the gate, the counts and the user's commands are the same everywhere. */
export function lessonStoreOn(records: LessonRecords): LessonStore {
  const { change } = records;
  return {
    async list(statuses = STANDING) {
      const lessons = (await records.list()).filter(({ status }) => statuses.includes(status));
      return lessons
        .reverse()
        .sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
    },
    admit: (candidates, grounds) =>
      candidates.length === 0 ? Promise.resolve([]) : change((book) => admitAll(book, candidates, grounds)),
    count: (outcomes) =>
      outcomes.length === 0 ? Promise.resolve() : change((book) => countAll(book, outcomes)),
    decay: (changes) =>
      changes.length === 0
        ? Promise.resolve()
        : change((book) => changes.forEach((decayed) => decayOne(book, decayed))),
    pin: (id, pinned) =>
      change((book) => {
        const lesson = known(book, id);
        const changed = book.put({ ...lesson, pinned });
        if (changed !== lesson) book.note(pinned ? 'pinned' : 'unpinned', changed, 'By the user.');
        return changed;
      }),
    archive: (id, reason) => change((book) => archive(book, known(book, id), reason)),
    async history(id) {
      const rows = await records.history();
      return id === undefined ? rows : rows.filter(({ lessonId }) => lessonId === id);
    },
  };
}

function decayOne(
  book: LessonBook,
  { id, confidence, forget }: { readonly id: string; readonly confidence: number; readonly forget?: string },
): void {
  const lesson = book.get(id);
  if (lesson === undefined || lesson.pinned || !STANDING.includes(lesson.status)) return;
  if (forget !== undefined) return void archive(book, lesson, forget);
  const decayed = book.put({ ...lesson, confidence: Math.min(1, Math.max(0, confidence)) });
  const [before, after] = [lesson.confidence.toFixed(3), decayed.confidence.toFixed(3)];
  if (decayed !== lesson) book.note('decayed', decayed, `Its confidence changed from ${before} to ${after}.`);
}

function known(book: LessonBook, id: string): Lesson {
  const lesson = book.get(id);
  if (lesson !== undefined) return lesson;
  const near = nearest(
    id,
    book.lessons.map((stored) => stored.id),
  );
  throw usageError(
    `There is no lesson ${id}.`,
    near === undefined ? 'List the lessons: ralph lessons list' : `Did you mean ${near}?`,
  );
}
