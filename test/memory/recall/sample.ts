import type { AttemptOutcome } from '../../../src/ports/memory.ts';
import type { Diagnostic, Evaluation, Reflection } from '../../../src/schema/generated.ts';
import { evaluation, failure, selfReflection, trajectory } from '../../support/scripted.ts';

/** A failing test of `src/cart.ts`. */
export const CART_FAILURE: Diagnostic = {
  ...failure(1),
  message: 'AssertionError: the total of an empty cart\nexpected 0, received NaN',
  file: 'test/cart.test.ts',
  rule: 'cart > totals nothing',
  frames: [{ file: 'src/cart.ts', line: 7 }],
};
export const OTHER_FAILURE: Diagnostic = {
  ...failure(2),
  message: 'dates are parsed late',
  file: 'test/date.test.ts',
};

export function judged(passed: number, over: Partial<Evaluation> = {}): Evaluation {
  return evaluation(passed, 4, over);
}

/** An attempt that changed `src/cart.ts` and fixed nothing. */
export function outcome(over: Partial<AttemptOutcome> = {}): AttemptOutcome {
  const file = { path: 'src/cart.ts', kind: 'modified', linesAdded: 1, linesDeleted: 1 } as const;
  const diagnostics = [CART_FAILURE, OTHER_FAILURE];
  return {
    ...{ loopId: 'ralph-one', iteration: 1, task: 'make the cart right', trajectory: trajectory() },
    changes: { files: [file], linesAdded: 1, linesDeleted: 1, patch: '' },
    evaluation: judged(2, { diagnostics }),
    previous: judged(2, { diagnostics }),
    ...{ best: false, accepted: false, signal: new AbortController().signal },
    ...over,
  };
}

/** A reflection with these lessons. */
export function reflectionWith(
  lessons: readonly string[],
  over: Partial<Reflection['self_reflection']['credit_assignment']> = {},
): Reflection {
  const self = selfReflection(1);
  return {
    reflector: { name: 'llm', fallback: false },
    self_reflection: {
      ...self,
      confidence: 0.6,
      lessons_learned: [...lessons],
      credit_assignment: { ...self.credit_assignment, ...over },
    },
  } as unknown as Reflection;
}
