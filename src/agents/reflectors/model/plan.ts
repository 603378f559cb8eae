import { allowedAdvice } from '../../../prompts/allowed/allow.ts';
import { withoutGround } from '../../../prompts/foreign-advice.ts';
import type { AttemptRecord } from './attempt-record.ts';
import { contradiction } from './contradiction.ts';

/**
 * A step or lesson that a model proposes, without the grounds that it gives; undefined where it begins with one, is not of the
 * kind that is allowed in the tree of the attempt, or where the code, the patch or the trace says the opposite.
 */
export function plannedStep(step: string, record: AttemptRecord): string | undefined {
  const head = withoutGround(step);
  if (head === undefined || losesReplacement(head, step)) return undefined;
  const allowed = allowedAdvice(head, record.tree);
  if (!allowed.ok || contradiction(step, record) !== undefined) return undefined;
  return `${allowed.text.replace(/[\s.,;:]+$/, '')}.`;
}

/** The word in front of the replacement: `replace a with b`. */
const REPLACEMENT = /\b(?:with|by|to|into|for)\b/i;

/** True for a step whose replacement stands behind a ground: without it, it says to take something away. */
function losesReplacement(head: string, step: string): boolean {
  const [, rest] =
    /\b(?:replace|change|swap|exchange|substitute|rename|convert|turn|rewrite)\b(.*)$/is.exec(head) ?? [];
  return rest !== undefined && !REPLACEMENT.test(rest) && REPLACEMENT.test(step.slice(head.length));
}
