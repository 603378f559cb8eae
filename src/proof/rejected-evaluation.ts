import { createDiagnostic } from '../checks/results/diagnostics.ts';
import { createTreePaths, type TreePaths } from '../checks/results/tree-paths.ts';
import type { Evaluation, Tampering } from '../schema/generated.ts';

/** Name of the check that reports tampering. */
const INTEGRITY = 'integrity';

const MAX_DIAGNOSTICS = 500;

/**
 * The evaluation of a tree whose checks cannot be trusted: not passed, with reward 0. A check named `integrity`
 * reports the tampering as failures. An evaluation without tampering is returned unchanged.
 */
export function rejectTampered(
  evaluation: Evaluation,
  tampering: readonly Tampering[],
  paths: TreePaths,
): Evaluation {
  if (tampering.length === 0) return evaluation;
  const diagnostics = tampering.map(({ kind, file, detail }) =>
    createDiagnostic(
      { type: 'other', check: INTEGRITY, rule: kind, message: detail, file: file === '' ? undefined : file },
      paths,
    ),
  );
  const more = tampering.length > 1 ? ` And ${tampering.length - 1} more.` : '';
  return {
    ...evaluation,
    passed: false,
    reward: 0,
    checks: [
      ...evaluation.checks.map((check) => ({ ...check, weight: 0 })),
      failedCheck(INTEGRITY, `${tampering[0]!.detail}${more}`, tampering.length),
    ],
    diagnostics: [...diagnostics, ...evaluation.diagnostics].slice(0, MAX_DIAGNOSTICS),
    tampering: [...tampering],
  };
}

/**
 * The evaluation with one more check that failed: not passed, with half of its reward. Nobody is accused of tampering.
 * `message` is one sentence.
 */
export function withFailedCheck(
  evaluation: Evaluation,
  name: string,
  { message, root }: { readonly message: string; readonly root: string },
): Evaluation {
  const diagnostic = createDiagnostic(
    { type: 'other', check: name, rule: name, message },
    createTreePaths(root, root),
  );
  return {
    ...evaluation,
    passed: false,
    reward: evaluation.reward / 2,
    checks: [
      ...evaluation.checks.map((check) => ({ ...check, weight: check.weight / 2 })),
      { ...failedCheck(name, message), weight: 0.5 },
    ],
    diagnostics: [diagnostic, ...evaluation.diagnostics].slice(0, MAX_DIAGNOSTICS),
  };
}

/** The failed result of a check without a tool, with weight 1. */
function failedCheck(name: string, detail: string, errors = 1): Evaluation['checks'][number] {
  return {
    name,
    kind: 'command',
    tool: 'command',
    status: 'fail',
    weight: 1,
    score: 0,
    passed: 0,
    failed: 0,
    skipped: 0,
    total: 0,
    errors,
    warnings: 0,
    duration_ms: 0,
    exit_code: null,
    detail: detail.slice(0, 2_000),
    command: '',
    output: '',
  };
}
