import type { Candidate } from '../syntax/edit.ts';

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

/**
 * Whether an edit answers a test where an input of that test comes along: `if (name === 'Ada') return 'Hello, Ada!'`
 * under a test that greets Ada. Such an edit repairs nothing. `own` is the file's text: what it already knows of is
 * no input.
 */
export function specialCases(candidate: Candidate, expected: readonly string[], own: string): boolean {
  if (!answersTest(candidate, expected)) return false;
  return candidate.edits.some(({ replacement }) => {
    if (!/\bif\b|\?|&&|\|\||\bcase\b/.test(replacement)) return false;
    const literals = replacement.match(LITERAL) ?? [];
    const known = new Set((own.match(LITERAL) ?? []).map(normal));
    return literals.filter((text) => !COMMON.test(text) && !known.has(normal(text))).length > 1;
  });
}

const LITERAL = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?<![\w.])\d+(?:\.\d+)?/g;

/** The whole text, and what stands behind `return`, `=`, `=>`, `?`, `:` or an opening bracket up to its end. */
function valuesIn(text: string): string[] {
  const parts = text.split(/\breturn\b|=>|[=?:;(){}]|&&|\|\||\?\?/);
  return [text, ...parts].map((part) => normal(part.trim().replace(/;$/, '')));
}

function normal(literal: string): string {
  return literal.trim().replace(/^'([^'\\]*)'$/, '"$1"');
}
