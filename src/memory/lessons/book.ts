import { printable } from '../../platform/text/printable.ts';
import type { Lesson, LessonAudit } from '../../schema/generated.ts';

const AUDIT_CHARS = 300;

/** Every lesson by id, and what a call changes in them, before it is written. */
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

  get changed(): readonly Lesson[] {
    return [...this.#changed].map((id) => this.#lessons.get(id)!);
  }

  get audit(): readonly LessonAudit[] {
    return this.#audit;
  }

  get(id: string): Lesson | undefined {
    return this.#lessons.get(id);
  }

  /** Gives the lesson as it is kept: with the time of the change, or as it was where nothing has changed. */
  put(lesson: Lesson): Lesson {
    const before = this.#lessons.get(lesson.id);
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(lesson)) return before;
    const kept = { ...lesson, updated_at: this.now };
    this.#lessons.set(lesson.id, kept);
    this.#changed.add(lesson.id);
    return kept;
  }

  note(
    action: LessonAudit['action'],
    lesson: { readonly id?: string; readonly text: string },
    reason: string,
  ): void {
    const text = printable(String(lesson.text)).slice(0, AUDIT_CHARS);
    const told = printable(reason).slice(0, 1000);
    this.#audit.push({ at: this.now, action, lessonId: lesson.id ?? null, text, reason: told });
  }
}
