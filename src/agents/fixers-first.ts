import { messageOf } from '../errors.ts';
import { plural } from '../platform/text/plural.ts';
import type { Actor } from '../ports.ts';
import type { AttemptContext } from '../ports/attempt.ts';
import type { CheckReport } from '../ports/evaluation.ts';
import type { CheckResult, Evaluation, Trajectory } from '../schema/generated.ts';
import { sumUsage } from '../schema/usage.ts';
import { stoppable, throwIfStopped } from './ends-when-stopped.ts';

const MAX_ACTIONS = 2000;
const MAX_STRATEGY = 2000;

/**
 * An actor that runs the free fixers first. If they fix every failure, the attempt ends; else `actor` continues on their
 * edits with the remaining failures. For failures that they could not fix, the fixers are not run again. An error of
 * the fixers becomes a warning.
 */
export function createFixersFirst(fixers: Actor, actor: Actor): Actor {
  const unfixable = new Set<string>();
  return {
    name: actor.name,
    async attempt(context) {
      const failures = fingerprintOf(context.evaluation);
      if (!hasFailures(context.evaluation) || unfixable.has(failures)) return await actor.attempt(context);
      // An actor that has begun may finish its attempt, the fixers need not.
      const ahead = stoppable(context);
      const first = await attemptSafely(fixers, ahead);
      throwIfStopped(context);
      if (first?.outcome !== 'edited') {
        if (!context.signal.aborted) unfixable.add(failures);
        const second = await actor.attempt(context);
        return first === undefined ? second : withCost(second, first);
      }
      for (const action of first.actions) context.onWork({ type: 'action', action });
      const evaluation = await evaluationAfter(first, ahead);
      throwIfStopped(context);
      if (!hasFailures(evaluation) || context.signal.aborted) return first;
      return joined(first, await actor.attempt({ ...context, evaluation }));
    },
  };
}

async function attemptSafely(fixers: Actor, context: AttemptContext): Promise<Trajectory | undefined> {
  try {
    return await fixers.attempt(context);
  } catch (error) {
    const text = `The fixers failed and were skipped: ${messageOf(error)}`;
    context.onWork({ type: 'warning', text });
    return undefined;
  }
}

/** A key for the set of failures. */
function fingerprintOf({ diagnostics }: Evaluation): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors
    .map(({ check, fingerprint }) => `${check} ${fingerprint}`)
    .sort()
    .join('\n');
}

/** Whether a diagnostic has the severity `error`. */
function hasFailures({ diagnostics }: Evaluation): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/**
 * The evaluation after the fixers' edits, for the next actor's prompt: failed checks are run again, the results of the
 * others are reused. No verdict depends on it. Never rejects: a check that cannot be run keeps its result.
 */
async function evaluationAfter({ actions }: Trajectory, context: AttemptContext): Promise<Evaluation> {
  const { bench, evaluation, onProgress, onWork, project, signal } = context;
  if (actions.every(({ file_path }) => file_path === undefined)) return evaluation;
  let updated = evaluation;
  for (const { name } of project.checks) {
    if (signal.aborted || !hasErrors(name, evaluation)) continue;
    onProgress(`running ${name} after the fixers`);
    try {
      updated = withReport(updated, await bench.run(name, { signal }));
    } catch (error) {
      onWork({ type: 'warning', text: `${name} could not be run after the fixers: ${messageOf(error)}` });
    }
  }
  return updated;
}

function hasErrors(name: string, { diagnostics }: Evaluation): boolean {
  return diagnostics.some(({ check, severity }) => check === name && severity === 'error');
}

function withReport(evaluation: Evaluation, report: CheckReport): Evaluation {
  const checks = evaluation.checks.map((check) =>
    check.name === report.name ? { ...check, ...resultOf(report), score: scoreOf(report, check) } : check,
  );
  return {
    ...evaluation,
    checks,
    reward: checks.reduce((sum, { weight, score }) => sum + weight * score, 0),
    diagnostics: [
      ...evaluation.diagnostics.filter(({ check }) => check !== report.name),
      ...report.diagnostics,
    ],
  };
}

function resultOf({ diagnostics: _diagnostics, tests: _tests, ...result }: CheckReport) {
  return result;
}

/** An estimate of the score; the evaluator's own also compares with the tests of the baseline. */
function scoreOf({ kind, passed, status, total }: CheckReport, before: CheckResult): number {
  if (status === 'pass') return 1;
  const isCounted = (kind === 'tests' || kind === 'command') && total > 0;
  return isCounted && status === 'fail' ? passed / Math.max(total, before.total) : 0;
}

function joined(first: Trajectory, second: Trajectory): Trajectory {
  return withCost(
    {
      ...second,
      actions: [...first.actions, ...second.actions].slice(0, MAX_ACTIONS),
      strategy: `Fixers first, ${plural(first.actions.length, 'action')}; then: ${second.strategy}`.slice(
        0,
        MAX_STRATEGY,
      ),
    },
    first,
  );
}

function withCost(trajectory: Trajectory, first: Trajectory): Trajectory {
  return {
    ...trajectory,
    usage: sumUsage([first.usage, trajectory.usage]),
    ruled_out: first.ruled_out.tried > 0 ? first.ruled_out : trajectory.ruled_out,
    duration_ms: first.duration_ms + trajectory.duration_ms,
  };
}
