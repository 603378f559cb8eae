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

/** Sorted by type; within a type, failures in `fresh` first, then failures with a line. */
export function sortByImportance(
  failures: readonly Diagnostic[],
  fresh: ReadonlySet<Diagnostic>,
): Diagnostic[] {
  const rank = (failure: Diagnostic): number =>
    TYPE_ORDER.indexOf(failure.type) * 4 +
    (fresh.has(failure) ? 0 : 2) +
    (failure.line === undefined ? 1 : 0);
  return [...failures].sort((a, b) => rank(a) - rank(b));
}
