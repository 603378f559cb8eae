import type { AttemptContext } from '../../ports/attempt.ts';
import type { CheckPlan } from '../../ports/plan.ts';

/** Files in which a check reports errors, relative to the root, each once. */
export function filesWithErrors({ evaluation }: AttemptContext, { name }: CheckPlan): string[] {
  const files = evaluation.diagnostics
    .filter(({ check, severity }) => check === name && severity === 'error')
    .map(({ file }) => file)
    .filter((file) => file !== undefined);
  return [...new Set(files)];
}
