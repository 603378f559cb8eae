import type { AttemptContext } from '../../ports/attempt.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { FixResult } from './fix-result.ts';
import { keepIfTestsPass } from './keeps-tests.ts';

/** Limits of the fixers. */
export interface FixerBounds {
  /** Time for each check's fixer. */
  readonly timeoutMs: number;
}

/** The result of one check's fixer. */
export interface FixerRun {
  /** Name of the check. */
  readonly check: string;
  readonly result: FixResult;
}

/**
 * Runs the fixer of each linter and type checker that reports errors, in the order of the checks. A fixer keeps a change
 * only if the number of errors falls and no test that passed breaks.
 */
export async function runFixers(context: AttemptContext, { timeoutMs }: FixerBounds): Promise<FixerRun[]> {
  const runs: FixerRun[] = [];
  for (const plan of context.project.checks) {
    if (context.signal.aborted || !hasErrors(context, plan)) continue;
    const fix = await fixerFor(plan);
    if (fix === undefined) continue;
    context.onProgress(`fixing errors of ${plan.name}`);
    const fixed = await fix({ context, plan, timeoutMs });
    runs.push({ check: plan.name, result: await keepIfTestsPass(context, fixed) });
  }
  return runs;
}

type Fixer = (request: { context: AttemptContext; plan: CheckPlan; timeoutMs: number }) => Promise<FixResult>;

/** A fixer's module is loaded only if there are errors for it. */
async function fixerFor({ tool, kind }: CheckPlan): Promise<Fixer | undefined> {
  if (tool === 'eslint') return (await import('./eslint.ts')).fixWithEslint;
  if (tool === 'tsc') return (await import('./typescript.ts')).fixWithTypeScript;
  if (tool === 'command' && kind === 'lint') return (await import('./lint-command.ts')).fixWithLintCommand;
  return undefined;
}

function hasErrors({ evaluation }: AttemptContext, { name }: CheckPlan): boolean {
  return evaluation.diagnostics.some(({ check, severity }) => check === name && severity === 'error');
}
