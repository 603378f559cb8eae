import type { AttemptContext, CheckPlan } from '../../ports.ts';
import type { AttemptLog } from '../strategy/attempt-log.ts';
import type { FixResult } from './fix-result.ts';

/** Where the fixers stop: they take half of an attempt at most. */
export interface FixerBounds {
  readonly timeoutMs: number;
}

/**
 * Lets the fixers mend what the linter and the type checker report as errors. Returns the files they changed,
 * relative to the root; each change was kept only because errors fell.
 */
export async function runFixers(
  context: AttemptContext,
  log: AttemptLog,
  { timeoutMs }: FixerBounds,
): Promise<string[]> {
  const changed = new Set<string>();
  for (const plan of context.project.checks) {
    if (context.signal.aborted || !hasErrors(context, plan)) continue;
    const fix = await fixerFor(plan);
    if (fix === undefined) continue;
    context.onProgress(`fixing what ${plan.name} reports`);
    const result = await fix({ context, plan, timeoutMs });
    note(log, plan, result);
    for (const file of result.changed) changed.add(file);
  }
  return [...changed];
}

type Fixer = (request: { context: AttemptContext; plan: CheckPlan; timeoutMs: number }) => Promise<FixResult>;

/** Fixers load only where there is something for them to do. */
async function fixerFor({ tool }: CheckPlan): Promise<Fixer | undefined> {
  if (tool === 'eslint') return (await import('./eslint.ts')).fixWithEslint;
  if (tool === 'tsc') return (await import('./typescript.ts')).fixWithTypeScript;
  return undefined;
}

function hasErrors({ evaluation }: AttemptContext, { name }: CheckPlan): boolean {
  return evaluation.diagnostics.some(({ check, severity }) => check === name && severity === 'error');
}

function note(
  log: AttemptLog,
  { name }: CheckPlan,
  { changed, actions, errorsFixed, reason }: FixResult,
): void {
  for (const { description, file, command } of actions) {
    log.act({
      type: command === undefined ? 'code_modification' : 'command_execution',
      description,
      ...(file === undefined ? {} : { file_path: file }),
      ...(command === undefined ? {} : { command }),
    });
  }
  if (changed.length > 0)
    log.reason(`Fixers mended ${errorsFixed} errors of ${name} in ${changed.join(', ')}.`);
  else if (reason !== undefined) log.reason(`Fixers of ${name}: ${reason}`);
}
