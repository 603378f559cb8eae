import type { Lesson } from '../../schema/generated.ts';
import { dangerIn } from '../lessons/gate/safety.ts';
import { stalenessOf } from './stale.ts';

/**
 * Why no attempt is told of a lesson, as a sentence: it may be out of date, or came into the file past the gate and
 * would not get through it. Being pinned outweighs the first. Undefined where nothing speaks against it.
 */
export function heldBack(
  lesson: Pick<Lesson, 'text' | 'files' | 'pinned'>,
  repositoryRoot: string,
): string | undefined {
  return dangerIn(lesson.text) ?? (lesson.pinned ? undefined : stalenessOf(lesson, repositoryRoot));
}
