import type { ReflectionInput } from '../../../ports/reflection.ts';
import { isCodeAsItWas } from '../../../repair/syntax/code-as-it-was.ts';
import type { FailureComparison } from '../../../schema/compare-failures.ts';
import { isOfTool } from '../../../schema/reported-again.ts';
import type { Diagnostic } from '../../../schema/generated.ts';

/** Failures of the start that are gone: those that an edit may have fixed, and those that pass although no code is another one. */
export interface Gone {
  readonly fixed: readonly Diagnostic[];
  readonly passing: readonly Diagnostic[];
}

/**
 * Tells failures that an edit may have fixed from others: after an attempt that changed no code, tests and commands pass for
 * another reason, such as the clock. Tools read comments and types too, so their errors are fixed by any edit. The evaluation of
 * a loop says it already.
 */
export function goneOf(
  { fixed, passing }: Pick<FailureComparison, 'fixed' | 'passing'>,
  { patch, loop }: ReflectionInput,
): Gone {
  if (fixed.every(isOfTool) || !isCodeAsItWas(patch, loop?.root)) return { fixed, passing };
  return {
    fixed: fixed.filter(isOfTool),
    passing: [...passing, ...fixed.filter((one) => !isOfTool(one))],
  };
}
