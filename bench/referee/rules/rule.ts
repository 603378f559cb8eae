import { CODE_SPAN, codeOf } from '../../../src/platform/text/code-span.ts';
import { flat, type Facts } from '../facts.ts';

/** What the record says of a statement. `unknown`: the referee has no rule for it. */
export type Verdict = 'true' | 'false' | 'unknown';

/** Looks up a statement that another one contains. */
export type Judge = (clause: string) => Verdict;

/** A form of a statement by its words alone, and whether the record has what it states. */
export type Rule = readonly [
  pattern: RegExp,
  check: (facts: Facts, match: RegExpExecArray, judge: Judge) => boolean,
];

/** A code span in a pattern. */
export const SPAN = CODE_SPAN.source;

/** Whether a span shows this code: all of it, or around `…` a part of it. */
export function shows(span: string, code: string): boolean {
  const [said, whole] = [codeOf(span), flat(code)];
  const part = said.replace(/^…/, '').replace(/…$/, '');
  if (said.startsWith('…')) return said.endsWith('…') ? whole.includes(part) : whole.endsWith(part);
  return said.endsWith('…') ? whole.startsWith(part) : whole === said;
}
