import type { ReflectionInput } from '../../../ports/reflection.ts';
import { isCodeAsItWas } from '../../../repair/syntax/code-as-it-was.ts';
import type { FailureComparison } from '../../../schema/compare-failures.ts';
import { isOfTool } from '../../../schema/reported-again.ts';
import type { Diagnostic } from '../../../schema/generated.ts';

/** Failures that an edit may have fixed or caused, and those that come and go although no code is another one. */
export interface Causes {
  readonly fixed: readonly Diagnostic[];
  readonly fresh: readonly Diagnostic[];
  /** Their tests pass now, and were seen to run no line that the attempt wrote. */
  readonly unrun: readonly Diagnostic[];
  /** Their tests pass now, and passed again on the tree before the attempt. */
  readonly without: readonly Diagnostic[];
  /** They pass now, with the code as it was. */
  readonly passing: readonly Diagnostic[];
  /** They fail now, with the code as it was. */
  readonly failing: readonly Diagnostic[];
}

/**
 * Tells failures that an edit may have fixed or caused from others: after an attempt that changed no code, tests and commands pass
 * and fail for another reason, such as the clock. Tools read comments too, so their errors may come from any edit.
 */
export function splitByCause(
  { fixed, passing, fresh }: Pick<FailureComparison, 'fixed' | 'passing' | 'fresh'>,
  input: ReflectionInput,
): Causes {
  const all = [...fixed, ...fresh];
  if (all.every(isOfTool) || !keepsCode(input)) {
    const [unrun, without] = [listed(fixed, input.fixesUnrun), listed(fixed, input.fixesWithout)];
    const byChange = fixed.filter((one) => !unrun.includes(one) && !without.includes(one));
    return { fixed: byChange, unrun, without, passing, fresh, failing: [] };
  }
  const isOther = (one: Diagnostic): boolean => !isOfTool(one);
  return {
    fixed: fixed.filter(isOfTool),
    ...{ unrun: [], without: [] },
    passing: [...passing, ...fixed.filter(isOther)],
    fresh: fresh.filter(isOfTool),
    failing: fresh.filter(isOther),
  };
}

/** The failures of the tests with these ids. */
function listed(failures: readonly Diagnostic[], ids: readonly string[] | undefined): Diagnostic[] {
  return failures.filter(({ test_id: id }) => id !== undefined && ids?.includes(id) === true);
}

const known = new WeakMap<ReflectionInput, boolean>();

/** True for an attempt that changed files, and in them nothing but comments, prose or layout. Each input is looked at once. */
export function keepsCode(input: ReflectionInput): boolean {
  const { patch, loop, evaluation } = input;
  const found =
    known.get(input) ??
    (patch !== '' && (evaluation.delta?.code_as_it_was === true || isCodeAsItWas(patch, loop?.root)));
  known.set(input, found);
  return found;
}
