import type { Evaluation, Tampering } from '../schema/generated.ts';
import { createDiagnostic } from '../checks/results/diagnostics.ts';
import type { TreePaths } from '../checks/run/tree-paths.ts';

/** Name of the check that stands for what speaks against the others. */
export const INTEGRITY = 'integrity';

/**
 * The evaluation of a tree whose checks cannot be believed: not passed, and without any reward, whatever they
 * said. What speaks against them is in `tampering`, as failures of a check of its own, and nothing else is changed.
 */
export function refuse(
  evaluation: Evaluation,
  tampering: readonly Tampering[],
  paths: TreePaths,
): Evaluation {
  if (tampering.length === 0) return evaluation;
  const diagnostics = tampering.map(({ kind, file, detail }) =>
    createDiagnostic(
      { type: 'other', check: INTEGRITY, rule: kind, message: detail, ...(file !== '' && { file }) },
      paths,
    ),
  );
  const detail = `${tampering[0]!.detail}${tampering.length > 1 ? ` And ${tampering.length - 1} more.` : ''}`;
  return {
    ...evaluation,
    passed: false,
    reward: 0,
    checks: [
      ...evaluation.checks.map((check) => ({ ...check, weight: 0 })),
      failedCheck(INTEGRITY, detail, tampering.length),
    ],
    diagnostics: [...diagnostics, ...evaluation.diagnostics].slice(0, 500),
    tampering: [...tampering],
  };
}

/** A red result of a check that no tool of the repository gave; with all the weight there is. */
export function failedCheck(name: string, detail: string, errors = 1): Evaluation['checks'][number] {
  const counts = { passed: 0, failed: 0, skipped: 0, total: 0, errors, warnings: 0 };
  const text = { detail: detail.slice(0, 2_000), command: '', output: '' };
  const result = { status: 'fail', weight: 1, score: 0, duration_ms: 0, exit_code: null } as const;
  return { name, kind: 'command', tool: 'command', ...counts, ...result, ...text };
}
