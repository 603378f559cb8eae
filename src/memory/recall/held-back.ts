import type { Lesson } from '../../schema/generated.ts';
import { dangerIn } from '../../platform/redaction/unsafe-text.ts';
import { stalenessOf } from './stale.ts';

/**
 * The reason why a lesson is not shown to attempts, as a sentence: it is unsafe (written into the file past the gate) or,
 * unless it is pinned, stale. Undefined for a lesson that may be shown.
 */
export function heldBack(
  lesson: Pick<Lesson, 'text' | 'files' | 'pinned'>,
  repositoryRoot: string,
): string | undefined {
  return dangerIn(lesson.text) ?? (lesson.pinned ? undefined : stalenessOf(lesson, repositoryRoot));
}
