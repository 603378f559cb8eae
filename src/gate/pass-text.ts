import type { Decision } from './decision.ts';

const RED_SINCE = 'Red since the start:';

/** One sentence for a tree that passed, and another one on what was red from the start. */
export function describePass({ stillRed }: Pick<Decision, 'stillRed'>): string {
  const rest = stillRed.length === 0 ? '' : ` ${RED_SINCE} ${stillRed.join('; ')}.`;
  return `Nothing that was green is red, and nothing that judges the work was changed.${rest}`;
}

/** True for a text of `describePass` that the agent's user should read: checks are still red. */
export function isNoteworthy(text: string): boolean {
  return text.includes(RED_SINCE);
}
