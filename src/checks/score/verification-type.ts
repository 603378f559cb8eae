import type { CheckKind, CheckResult, TestCase, VerificationType } from '../../schema/generated.ts';

const KINDS: Readonly<Record<CheckKind, VerificationType>> = {
  tests: 'unit_tests',
  types: 'type_check',
  lint: 'lint',
  command: 'heuristic',
};

/** The kind of verification that the checks are together; the default length of the reflection window depends on it. */
export function verificationTypeOf(
  checks: readonly Pick<CheckResult, 'kind' | 'status'>[],
  tests: readonly TestCase[],
): VerificationType {
  const kinds = new Set(checks.filter((check) => check.status !== 'skip').map((check) => check.kind));
  const [kind = 'command'] = kinds;
  if (kinds.size > 1) return 'combined';
  return kind === 'tests' && isIntegration(tests) ? 'integration_tests' : KINDS[kind];
}

function isIntegration(tests: readonly TestCase[]): boolean {
  const files = new Set(tests.flatMap((test) => test.file ?? []));
  return files.size > 0 && [...files].every((file) => /integration|e2e/i.test(file));
}
