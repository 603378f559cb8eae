import type { AttemptContext } from '../../ports/attempt.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { FixResult } from './fix-result.ts';
import { keepIfTestsPass } from './keeps-tests.ts';

/** Limits of the fixers. */
export interface FixerBounds {
  /** Time for each check's fixer. */
  readonly timeoutMs: number;
  /** While tests fail, a change of the type fixer is kept only if it makes one pass. Default false. */
  readonly mustRepairTests?: boolean;
  /** Only the fixers of checks of this kind. Default: of both. */
  readonly kind?: 'types' | 'lint';
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
export async function runFixers(
  context: AttemptContext,
  { timeoutMs, mustRepairTests = false, kind }: FixerBounds,
): Promise<FixerRun[]> {
  const runs: FixerRun[] = [];
  const failsTests = context.evaluation.tests.some(({ status }) => status === 'failed');
  for (const plan of context.project.checks) {
    if (context.signal.aborted || !hasErrors(context, plan)) continue;
    if (kind !== undefined && plan.kind !== kind) continue;
    const fix = await fixerFor(plan);
    if (fix === undefined) continue;
    context.onProgress(`fixing errors of ${plan.name}`);
    const fixed = await fix({ context, plan, timeoutMs });
    const mustRepair = mustRepairTests && plan.tool === 'tsc' && failsTests;
    runs.push({ check: plan.name, result: await keepIfTestsPass(context, fixed, { mustRepair }) });
  }
  return runs;
}

/** How the compiler says that a name is misspelt. */
const MISSPELT = /\bDid you mean\b/;

/**
 * Corrects names that TypeScript says are misspelt, while tests fail: of all fixes of types the one that is also most likely
 * the defect that the tests show. Kept only if a failing test passes and no test that passed breaks.
 */
export async function correctSpelling(
  context: AttemptContext,
  { timeoutMs }: FixerBounds,
): Promise<FixerRun[]> {
  const runs: FixerRun[] = [];
  for (const plan of context.project.checks) {
    if (context.signal.aborted || plan.tool !== 'tsc' || !reports(context, plan, MISSPELT)) continue;
    const { fixWithTypeScript } = await import('./typescript.ts');
    context.onProgress(`correcting the spelling of names for ${plan.name}`);
    const fixed = await fixWithTypeScript({ context, plan, timeoutMs, isSpellingOnly: true });
    runs.push({ check: plan.name, result: await keepIfTestsPass(context, fixed, { mustRepair: true }) });
  }
  return runs;
}

/** Whether a check reports errors that a fixer may be able to fix. */
export function hasFixes(context: AttemptContext): boolean {
  return context.project.checks.some((plan) => isFixable(plan) && hasErrors(context, plan));
}

function isFixable({ tool, kind }: CheckPlan): boolean {
  return tool === 'eslint' || tool === 'tsc' || (tool === 'command' && kind === 'lint');
}

type Fixer = (request: { context: AttemptContext; plan: CheckPlan; timeoutMs: number }) => Promise<FixResult>;

/** A fixer's module is loaded only if there are errors for it. */
async function fixerFor(plan: CheckPlan): Promise<Fixer | undefined> {
  if (!isFixable(plan)) return undefined;
  if (plan.tool === 'eslint') return (await import('./eslint.ts')).fixWithEslint;
  if (plan.tool === 'tsc') return (await import('./typescript.ts')).fixWithTypeScript;
  return (await import('./lint-command.ts')).fixWithLintCommand;
}

function hasErrors(context: AttemptContext, plan: CheckPlan): boolean {
  return reports(context, plan, /(?:)/);
}

function reports({ evaluation }: AttemptContext, { name }: CheckPlan, message: RegExp): boolean {
  return evaluation.diagnostics.some(
    (it) => it.check === name && it.severity === 'error' && message.test(it.message),
  );
}
