import { confirmTrust } from '../confirm-trust.ts';
import { evaluateOnce, type TreeEvaluation } from '../../compose/evaluate.ts';
import { openProject } from '../../compose/project.ts';
import { ExitCode, RalphError, type ExitCode as Code } from '../../errors.ts';
import { describeFailures } from '../../loop/describe-end.ts';
import { blankVerdict, summarizeCheck } from '../../loop/verdict.ts';
import type { Evaluation, Verdict } from '../../schema/generated.ts';
import { plural } from '../../platform/text/plural.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { settingsFromOptions, type OutputOptions } from '../options.ts';
import { createOutput } from '../output.ts';

/** Options of `ralph evaluate`. */
export interface EvaluateOptions extends OutputOptions {
  readonly fresh?: boolean;
}

/** `ralph evaluate`: exit 0 if every check passes, 1 if one fails, 6 if one could not run. */
export async function evaluateCommand({ fresh = false, ...options }: EvaluateOptions): Promise<void> {
  const startMs = performance.now();
  const project = await openProject({
    cwd: process.cwd(),
    flags: settingsFromOptions({ ...options }),
    env: process.env,
    confirm: confirmTrust(),
  });
  const output = await createOutput(options);
  const interruption = listenForInterrupts(output.say, 1);
  try {
    const { signal } = interruption;
    const { evaluation, knownSince } = await evaluateOnce(project, { signal, emit: output.emit, fresh });
    if (signal.aborted)
      throw new RalphError('Stopped.', { code: 'aborted', exitCode: interruption.exitCode() });
    output.emit({ type: 'baseline_evaluated', evaluation });
    output.emit({
      type: 'loop_finished',
      verdict: toVerdict(evaluation, { knownSince, durationMs: performance.now() - startMs }),
    });
    process.exitCode = exitCodeOf(evaluation);
  } finally {
    interruption.close();
    output.close();
  }
}

function exitCodeOf({ passed, checks }: Evaluation): Code {
  if (checks.some(({ status }) => status === 'error')) return ExitCode.check;
  return passed ? ExitCode.verified : ExitCode.unverified;
}

interface Circumstances extends Pick<TreeEvaluation, 'knownSince'> {
  readonly durationMs: number;
}

function toVerdict(evaluation: Evaluation, { knownSince, durationMs }: Circumstances): Verdict {
  const { passed, reward } = evaluation;
  const known = knownSince === undefined ? describeReused(evaluation) : describeKnown(knownSince);
  const reason = passed ? `Every check passes.${known}` : describeFailures(evaluation);
  return {
    ...blankVerdict(passed ? 'passed' : 'failed', reason),
    verified: passed,
    reward,
    baseline_reward: reward,
    checks: evaluation.checks.map(summarizeCheck),
    duration_ms: Math.round(durationMs),
  };
}

/** `since`: ISO 8601. */
function describeKnown(since: string): string {
  const time = since.replace('T', ' ').slice(0, 16);
  return ` Nothing has changed since they ran at ${time} UTC; --fresh runs them again.`;
}

function describeReused({ checks }: Evaluation): string {
  const reused = checks.reduce((sum, check) => sum + (check.reused ?? 0), 0);
  if (reused === 0) return '';
  return ` ${plural(reused, 'test')} did not run again, since the change cannot affect them; --fresh runs all.`;
}
