import { isDeepStrictEqual } from 'node:util';
import { printable } from '../../platform/text/printable.ts';
import type { Lesson, LessonAudit } from '../../schema/generated.ts';

const TEXT_CHARS = 300;
const REASON_CHARS = 1000;

/** All lessons by id, with the changes and audit rows of one call before they are written. */
export class LessonBook {
  readonly #lessons: Map<string, Lesson>;
  readonly #changed = new Set<string>();
  readonly #audit: LessonAudit[] = [];
  /** ISO 8601. */
  readonly now: string;

  /** Oldest first. */
  constructor(lessons: readonly Lesson[], now: Date) {
    this.#lessons = new Map(lessons.map((lesson) => [lesson.id, lesson]));
    this.now = now.toISOString();
  }

  /** Oldest first. */
  get lessons(): readonly Lesson[] {
    return [...this.#lessons.values()];
  }

  /** Lessons that were stored in this call, in the order of their first change. */
  get changed(): readonly Lesson[] {
    return [...this.#changed].map((id) => this.#lessons.get(id)!);
  }

  get audit(): readonly LessonAudit[] {
    return this.#audit;
  }

  get(id: string): Lesson | undefined {
    return this.#lessons.get(id);
  }

  /** Stores a lesson and returns it with the time of the change; an unchanged lesson is returned as it was. */
  put(lesson: Lesson): Lesson {
    const before = this.#lessons.get(lesson.id);
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(lesson)) return before;
    const kept = { ...lesson, updated_at: this.now };
    this.#lessons.set(lesson.id, kept);
    this.#changed.add(lesson.id);
    return kept;
  }

  /** Stores a lesson as it is, with its own time of change, as another store has it; false if that changes nothing. */
  keep(lesson: Lesson): boolean {
    if (isDeepStrictEqual(this.#lessons.get(lesson.id), lesson)) return false;
    this.#lessons.set(lesson.id, lesson);
    this.#changed.add(lesson.id);
    return true;
  }

  /** Adds an audit row; text and reason are cut to 300 and 1,000 characters. */
  note(
    action: LessonAudit['action'],
    lesson: { readonly id?: string; readonly text: string },
    reason: string,
  ): void {
    const text = printable(String(lesson.text)).slice(0, TEXT_CHARS);
    this.#audit.push({
      at: this.now,
      action,
      lessonId: lesson.id ?? null,
      text,
      reason: printable(reason).slice(0, REASON_CHARS),
    });
  }
}
