import type { Diagnostic, DiagnosticDelta } from '../../schema/generated.ts';

const MAX_LISTED = 500;

/**
 * Fingerprints of errors compared with the evaluation before: gone, still there, not seen before. A test that
 * failed before and fails now is still there, whatever it says now. All empty without an evaluation before. Each
 * fingerprint stands once, in the order of the diagnostics.
 */
export function deltaOf(
  current: readonly Diagnostic[],
  previous: readonly Diagnostic[] | undefined,
): DiagnosticDelta {
  if (previous === undefined) return { fixed: [], same: [], new: [] };
  const [now, before] = [errorsOf(current), errorsOf(previous)];
  const [isThere, wasThere] = [membership(now), membership(before)];
  return {
    fixed: listed(before.filter((failure) => !isThere(failure))),
    same: listed(now.filter(wasThere)),
    new: listed(now.filter((failure) => !wasThere(failure))),
  };
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

/** Whether a failure is among these: the same one, or another one of the same test. */
function membership(failures: readonly Diagnostic[]): (failure: Diagnostic) => boolean {
  const fingerprints = new Set(failures.map(({ fingerprint }) => fingerprint));
  const tests = new Set(failures.map(({ test_id }) => test_id));
  return ({ fingerprint, test_id: id }) =>
    fingerprints.has(fingerprint) || (id !== undefined && tests.has(id));
}

function listed(failures: readonly Diagnostic[]): string[] {
  return [...new Set(failures.map(({ fingerprint }) => fingerprint))].slice(0, MAX_LISTED);
}
