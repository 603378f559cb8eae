import type { EvaluationRequest } from '../ports/evaluation.ts';
import { isCodeAsItWas } from '../repair/syntax/code-as-it-was.ts';
import { compareFailures, deltaOf } from '../schema/compare-failures.ts';
import type { DiagnosticDelta, Evaluation } from '../schema/generated.ts';
import { isOfTool } from '../schema/reported-again.ts';

/**
 * The failures of a tree beside those of the tree before, after all proofs. Tests and commands that pass or fail after a patch that
 * changes no code do so for another reason, such as the clock.
 */
export function comparedWith(
  { previous, patch, root }: Pick<EvaluationRequest, 'previous' | 'patch' | 'root'>,
  evaluation: Evaluation,
): DiagnosticDelta {
  const delta = deltaOf(evaluation, previous);
  if (previous === undefined || !patch || !isCodeAsItWas(patch, root)) return delta;
  const passing = compareFailures(previous, evaluation)
    .fixed.filter((one) => !isOfTool(one))
    .map(({ fingerprint }) => fingerprint);
  return { ...deltaOf({ ...evaluation, delta: { ...delta, passing } }, previous), code_as_it_was: true };
}
