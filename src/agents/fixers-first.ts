import { messageOf } from '../errors.ts';
import type { Actor, AttemptContext, CheckReport } from '../ports.ts';
import type { CheckResult, Evaluation, Trajectory } from '../schema/generated.ts';
import { sumUsage } from '../schema/usage.ts';

const MAX_ACTIONS = 2000;
const MAX_STRATEGY = 2000;

/**
 * Lets one that costs nothing begin: where it leaves nothing red of what it can mend, the attempt is over without the
 * other; else the other goes on from there, told what is still red. Failures that it could do nothing about it is not
 * asked about again. What it throws is a warning.
 */
export function createFixersFirst(fixers: Actor, actor: Actor): Actor {
  const hopeless = new Set<string>();
  return {
    name: actor.name,
    async attempt(context) {
      const failures = fingerprintOf(context.evaluation);
      if (!hasFailures(context.evaluation) || hopeless.has(failures)) return await actor.attempt(context);
      const first = await attemptSafely(fixers, context);
      if (first?.outcome !== 'edited') {
        if (!context.signal.aborted) hopeless.add(failures);
        const second = await actor.attempt(context);
        return first === undefined ? second : withCost(second, first);
      }
      for (const action of first.actions) context.onWork({ type: 'action', action });
      const evaluation = await evaluationAfter(first, context);
      if (!hasFailures(evaluation) || context.signal.aborted) return first;
      return joined(first, await actor.attempt({ ...context, evaluation }));
    },
  };
}

async function attemptSafely(fixers: Actor, context: AttemptContext): Promise<Trajectory | undefined> {
  try {
    return await fixers.attempt(context);
  } catch (error) {
    const text = `The fixers failed and were passed over: ${messageOf(error)}`;
    context.onWork({ type: 'warning', text });
    return undefined;
  }
}

/** One value for what is red. */
function fingerprintOf({ diagnostics }: Evaluation): string {
  const red = diagnostics.filter(({ severity }) => severity === 'error');
  return red
    .map(({ check, fingerprint }) => `${check} ${fingerprint}`)
    .sort()
    .join('\n');
}

/** Whether anything is reported as an error. */
function hasFailures({ diagnostics }: Evaluation): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/**
 * What the checks say after an actor's edits, for the next one to be told: each check that was red is run again, the
 * others are taken as they were. A verdict never comes from here. Never rejects: a check that cannot be run stays as
 * it was.
 */
async function evaluationAfter({ actions }: Trajectory, context: AttemptContext): Promise<Evaluation> {
  const { bench, evaluation, onProgress, onWork, project, signal } = context;
  if (actions.every(({ file_path }) => file_path === undefined)) return evaluation;
  let seen = evaluation;
  for (const { name } of project.checks) {
    if (signal.aborted || !isRed(name, evaluation)) continue;
    onProgress(`looking at ${name} after the fixers`);
    try {
      seen = withReport(seen, await bench.run(name, { signal }));
    } catch (error) {
      onWork({ type: 'warning', text: `${name} could not be run after the fixers: ${messageOf(error)}` });
    }
  }
  return seen;
}

function isRed(name: string, { diagnostics }: Evaluation): boolean {
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

/** An estimate: the evaluator's own also asks for the tests that were there at the start. */
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
      strategy: `Fixers first, ${first.actions.length} actions; then: ${second.strategy}`.slice(
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
