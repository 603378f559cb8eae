import type { Decision } from './decision.ts';

const RED_SINCE = 'Red since the start:';
const RED_NOW = 'Red now, and perhaps green at the start:';

/**
 * One sentence for a tree that passed, and another one on what is red. `isCertain`: it was red at the start as well, which nobody can
 * say if it reads files of which the start stored nothing.
 */
export function describePass(
  { stillRed }: Pick<Decision, 'stillRed'>,
  { isCertain }: { readonly isCertain: boolean },
): string {
  if (stillRed.length > 0 && !isCertain)
    return `Nothing that judges the work was changed. ${RED_NOW} ${stillRed.join('; ')}.`;
  const rest = stillRed.length === 0 ? '' : ` ${RED_SINCE} ${stillRed.join('; ')}.`;
  return `Nothing that was green is red, and nothing that judges the work was changed.${rest}`;
}

/** True for a text of `describePass` that the agent's user should read: checks are still red. */
export function isNoteworthy(text: string): boolean {
  return text.includes(RED_SINCE) || text.includes(RED_NOW);
}
