import { usageError } from '../errors.ts';
import type { Lesson } from '../schema/generated.ts';
import { nearest } from '../platform/text/nearest.ts';

/** One of the words that an option takes. Throws a usage RalphError that names the option, and the word that was meant. */
export function knownWord<T extends string>(option: string, text: string, known: readonly T[]): T {
  const word = known.find((candidate) => candidate === text.trim());
  if (word !== undefined) return word;
  const near = nearest(text.trim(), known);
  throw usageError(
    `${option} ${JSON.stringify(text)} is none of ${known.join(', ')}.`,
    near === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${near}?`,
  );
}

/**
 * The lesson that an id, or the beginning of one, means; `lesson-` may be left out. Throws a usage RalphError where
 * there is none, or more than one.
 */
export function resolveLesson(text: string, lessons: readonly Lesson[]): Lesson {
  const id = text.startsWith('lesson-') ? text : `lesson-${text}`;
  const found = lessons.filter((lesson) => id !== 'lesson-' && lesson.id.startsWith(id));
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const shown = found.slice(0, 5).map((lesson) => lesson.id);
    throw usageError(
      `${JSON.stringify(text)} is the beginning of ${found.length} lessons.`,
      `Say which: ${shown.join(', ')}`,
    );
  }
  const near = nearest(
    id,
    lessons.map((lesson) => lesson.id),
  );
  throw usageError(
    `There is no lesson ${JSON.stringify(text)}.`,
    near === undefined ? 'See what there is: ralph lessons list --status all' : `Did you mean ${near}?`,
  );
}
