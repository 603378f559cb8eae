import type { Diagnostic } from './generated.ts';

/** Types of failures, those that hide other failures first. */
const TYPE_ORDER: readonly Diagnostic['type'][] = [
  'syntax_error',
  'type_error',
  'runtime_error',
  'timeout',
  'test_failure',
  'logic_error',
  'lint_error',
  'other',
];

/** A file that a runner takes for one with tests, and that has none: no edit of a source changes that. */
const WITHOUT_TESTS = /\bno test suite found in file\b|\bmust contain at least one test\b/i;

/** Sorted by type; within a type, failures in `fresh` first, then failures with a line. Old files without tests come last. */
export function sortByImportance(
  failures: readonly Diagnostic[],
  fresh: ReadonlySet<Diagnostic>,
): Diagnostic[] {
  const isHopeless = (failure: Diagnostic): boolean =>
    !fresh.has(failure) && WITHOUT_TESTS.test(failure.message);
  const rank = (failure: Diagnostic): number =>
    (isHopeless(failure) ? 4 * TYPE_ORDER.length : 0) +
    TYPE_ORDER.indexOf(failure.type) * 4 +
    (fresh.has(failure) ? 0 : 2) +
    (failure.line === undefined ? 1 : 0);
  return [...failures].sort((a, b) => rank(a) - rank(b));
}
