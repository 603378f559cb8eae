import type { Candidate } from '../syntax/edit.ts';

/** Common values: inserting one does not show that an edit copies the expected result. */
const COMMON = /^(true|false|null|undefined|NaN|-?[0-2]|''|""|``|\[\]|\{\})$/;

/**
 * Whether an edit inserts, as a value of its own, exactly the result that a failing test expects. `expected` are
 * source texts of literals, strings in either quotes.
 */
export function answersTest({ edits }: Candidate, expected: readonly string[]): boolean {
  const answers = new Set(expected.map(normal).filter((text) => !COMMON.test(text)));
  return (
    answers.size > 0 &&
    edits.some(({ replacement }) => valuesIn(replacement).some((text) => answers.has(text)))
  );
}

/**
 * Whether an edit returns the expected result of a test for that test's input alone: `if (name === 'Ada') return
 * 'Hello, Ada!'` for a test that greets Ada. Such an edit repairs nothing. `own` is the file's text: a literal that
 * occurs in it is not taken for a test's input.
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

/** The whole text and each part of it between `return`, `=`, `=>`, `?`, `:`, `;`, brackets and logical operators. */
function valuesIn(text: string): string[] {
  const parts = text.split(/\breturn\b|=>|[=?:;(){}]|&&|\|\||\?\?/);
  return [text, ...parts].map((part) => normal(part.trim().replace(/;$/, '')));
}

function normal(literal: string): string {
  return literal.trim().replace(/^'([^'\\]*)'$/, '"$1"');
}
