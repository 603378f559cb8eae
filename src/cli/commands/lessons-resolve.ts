import { usageError } from '../../errors.ts';
import { nearest } from '../../platform/text/nearest.ts';
import type { Lesson } from '../../schema/generated.ts';

/**
 * The lesson whose id begins with the text; the prefix `lesson-` may be left out. Throws a usage RalphError if there is
 * none, or more than one.
 */
export function resolveLesson(text: string, lessons: readonly Lesson[]): Lesson {
  const id = text.startsWith('lesson-') ? text : `lesson-${text}`;
  const found = lessons.filter((lesson) => id !== 'lesson-' && lesson.id.startsWith(id));
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const shown = found.slice(0, 5).map((lesson) => lesson.id);
    throw usageError(
      `${JSON.stringify(text)} matches ${found.length} lessons.`,
      `Give more of the id: ${shown.join(', ')}`,
    );
  }
  const near = nearest(
    id,
    lessons.map((lesson) => lesson.id),
  );
  throw usageError(
    `There is no lesson ${JSON.stringify(text)}.`,
    near === undefined ? 'To see all of them: ralph lessons list --status all' : `Did you mean ${near}?`,
  );
}
