import type { Diagnostic, DiagnosticDelta } from '../../schema/generated.ts';

const MAX_LISTED = 500;

/**
 * Fingerprints of errors compared with the previous evaluation: fixed, the same, new. A test that failed before and fails
 * now counts as the same, even with another message. All lists are empty without a previous evaluation. Each
 * fingerprint is listed once, in the order of the diagnostics.
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

/** A predicate for failures that are among these, or belong to the same test as one of these. */
function membership(failures: readonly Diagnostic[]): (failure: Diagnostic) => boolean {
  const fingerprints = new Set(failures.map(({ fingerprint }) => fingerprint));
  const tests = new Set(failures.map(({ test_id }) => test_id));
  const opaque = failures.filter(isOfCommand).map(({ check }) => check);
  const commands = new Set(
    opaque.filter((check, at) => opaque.indexOf(check) === at && opaque.lastIndexOf(check) === at),
  );
  return (failure) =>
    fingerprints.has(failure.fingerprint) ||
    (failure.test_id !== undefined && tests.has(failure.test_id)) ||
    (isOfCommand(failure) && commands.has(failure.check));
}

/** True for the one failure of a command whose output names no place: other output is not another failure. */
function isOfCommand({ type, test_id: id, rule, file }: Diagnostic): boolean {
  const isTool =
    type === 'lint_error' || type === 'type_error' || type === 'syntax_error' || type === 'other';
  return isTool && id === undefined && rule === undefined && file === undefined;
}

function listed(failures: readonly Diagnostic[]): string[] {
  return [...new Set(failures.map(({ fingerprint }) => fingerprint))].slice(0, MAX_LISTED);
}
