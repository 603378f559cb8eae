import type { AttemptContext, CheckPlan } from '../../ports.ts';

/** Files in which a check reports errors, relative to the root, each once. */
export function filesWithErrors({ evaluation }: AttemptContext, { name }: CheckPlan): string[] {
  const files = evaluation.diagnostics
    .filter(({ check, severity }) => check === name && severity === 'error')
    .map(({ file }) => file)
    .filter((file) => file !== undefined);
  return [...new Set(files)];
}
