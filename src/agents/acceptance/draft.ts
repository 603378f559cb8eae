import type { AcceptanceDraft } from '../../ports/acceptance.ts';
import { NO_USAGE } from '../../schema/usage.ts';

/** A draft of no test, with a sentence that says why. */
export function noDraft(problem: string): AcceptanceDraft {
  return { criteria: [], files: [], problem, usage: NO_USAGE };
}
