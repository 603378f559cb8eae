import { longestRun } from '../platform/text/code-span.ts';

/** A fence that the text cannot close: one backtick more than its longest run of backticks, at least three. */
export function fenceFor(text: string): string {
  return '`'.repeat(Math.max(2, longestRun(text)) + 1);
}
