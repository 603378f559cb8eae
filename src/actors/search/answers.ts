import type { Candidate } from './edit.ts';

/** Values that are everyone's: putting one in is no sign of knowing the answer. */
const COMMON = /^(true|false|null|undefined|NaN|-?[0-2]|''|""|``|\[\]|\{\})$/;

/**
 * Whether an edit puts in, as a value of its own, just what a failing test expects. `expected` are texts of
 * literals, strings in either quotes.
 */
export function answersTest({ edits }: Candidate, expected: readonly string[]): boolean {
  const answers = new Set(expected.map(normal).filter((text) => !COMMON.test(text)));
  return (
    answers.size > 0 &&
    edits.some(({ replacement }) => valuesIn(replacement).some((text) => answers.has(text)))
  );
}

/** The whole text, and what stands behind `return`, `=`, `=>`, `?`, `:` or an opening bracket up to its end. */
function valuesIn(text: string): string[] {
  const parts = text.split(/\breturn\b|=>|[=?:;(){}]|&&|\|\||\?\?/);
  return [text, ...parts].map((part) => normal(part.trim().replace(/;$/, '')));
}

function normal(literal: string): string {
  return literal.trim().replace(/^'([^'\\]*)'$/, '"$1"');
}
