import type { Diagnostic, DiagnosticDelta } from '../schema/generated.ts';

const MAX_LISTED = 500;

/**
 * Fingerprints of errors compared with the evaluation before: gone, still there, not seen before. All empty
 * without one. Each fingerprint stands once, in the order of the diagnostics.
 */
export function deltaOf(
  current: readonly Diagnostic[],
  previous: readonly Diagnostic[] | undefined,
): DiagnosticDelta {
  if (previous === undefined) return { fixed: [], same: [], new: [] };
  const now = errorsOf(current);
  const before = errorsOf(previous);
  return {
    fixed: [...before].filter((it) => !now.has(it)).slice(0, MAX_LISTED),
    same: [...now].filter((it) => before.has(it)).slice(0, MAX_LISTED),
    new: [...now].filter((it) => !before.has(it)).slice(0, MAX_LISTED),
  };
}

function errorsOf(diagnostics: readonly Diagnostic[]): Set<string> {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  return new Set(errors.map((diagnostic) => diagnostic.fingerprint));
}
