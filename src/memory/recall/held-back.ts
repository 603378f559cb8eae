import type { Lesson } from '../../schema/generated.ts';
import { dangerIn } from '../../platform/redaction/unsafe-text.ts';
import { adviceProblem, isForeignAdvice } from '../lessons/advice-problem.ts';
import { stalenessOf } from './stale.ts';

/**
 * The reason why a lesson is not shown to attempts, as a sentence: it is unsafe (written into the file past the gate) or,
 * unless it is pinned, stale, or advice of others that the gate would refuse. Undefined for a lesson that may be shown.
 */
export function heldBack(
  lesson: Pick<Lesson, 'text' | 'files' | 'pinned' | 'source' | 'claim'>,
  repositoryRoot: string,
): string | undefined {
  const danger = dangerIn(lesson.text);
  if (danger !== undefined || lesson.pinned) return danger;
  const problem = isForeignAdvice(lesson) ? adviceProblem(repositoryRoot, lesson) : undefined;
  return stalenessOf(lesson, repositoryRoot) ?? problem;
}
