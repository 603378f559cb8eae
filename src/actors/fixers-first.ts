import type { Actor, AttemptContext, CheckPlan } from '../ports.ts';
import type { Action, Evaluation, Trajectory } from '../schema/generated.ts';
import { sumUsage } from '../schema/usage.ts';

/**
 * Lets one that costs nothing begin: where it leaves nothing red of what it can mend, the attempt is over without the
 * other; else the other goes on from there, told what is still red.
 */
export function createFixersFirst(fixers: Actor, actor: Actor): Actor {
  let useful = true;
  return {
    name: actor.name,
    async attempt(context) {
      if (!useful || !hasFailures(context.evaluation)) return await actor.attempt(context);
      const first = await fixers.attempt(context);
      useful = first.outcome === 'edited';
      if (!useful) return withCost(await actor.attempt(context), first);
      for (const action of first.actions) context.onWork({ type: 'action', action });
      const evaluation = await seenAfter(first, context);
      if (!hasFailures(evaluation) || context.signal.aborted) return first;
      const second = await actor.attempt({ ...context, evaluation });
      return joined(first, second);
    },
  };
}

function hasFailures({ diagnostics }: Evaluation): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** What the checks say once the fixers were at work; each that was red is run again. */
async function seenAfter({ actions }: Trajectory, context: AttemptContext): Promise<Evaluation> {
  const { bench, evaluation, project, signal } = context;
  if (actions.every(({ file_path }) => file_path === undefined)) return evaluation;
  const red = project.checks.filter((plan) => isRed(plan, evaluation));
  let seen = evaluation;
  for (const plan of red) {
    context.onProgress(`looking at ${plan.name} after the fixers`);
    const report = await bench.run(plan.name, { signal });
    const { status, passed, failed, errors, warnings, detail, output } = report;
    const now = { status, passed, failed, errors, warnings, detail, output };
    seen = {
      ...seen,
      checks: seen.checks.map((check) => (check.name === plan.name ? { ...check, ...now } : check)),
      diagnostics: [...seen.diagnostics.filter(({ check }) => check !== plan.name), ...report.diagnostics],
    };
  }
  return seen;
}

function isRed({ name }: CheckPlan, { diagnostics }: Evaluation): boolean {
  return diagnostics.some(({ check, severity }) => check === name && severity === 'error');
}

function joined(first: Trajectory, second: Trajectory): Trajectory {
  const actions: Action[] = [...first.actions, ...second.actions];
  return withCost({ ...second, actions: actions.slice(0, 2000) }, first);
}

function withCost(trajectory: Trajectory, first: Trajectory): Trajectory {
  return {
    ...trajectory,
    usage: sumUsage([first.usage, trajectory.usage]),
    ruled_out: first.ruled_out.tried > 0 ? first.ruled_out : trajectory.ruled_out,
    duration_ms: first.duration_ms + trajectory.duration_ms,
  };
}
