import { ExitCode, RalphError } from '../errors.ts';
import { renderDuration } from '../platform/text/duration.ts';
import type { Evaluation } from '../schema/generated.ts';
import type { ActorResult } from './run-actor.ts';

/** The error of a loop whose actor could not run at all. */
export function actorError({ message, hint }: NonNullable<ActorResult['fatal']>): RalphError {
  return new RalphError(message, { code: 'actor_failed', exitCode: ExitCode.actor, hint });
}

/** Thrown when the time of `--max-time` is over, by the step that it cut off; ends the loop, not the program. */
export class TimeOver extends Error {
  /** The step, as a noun: `the baseline`. */
  readonly step: string;

  constructor(step: string) {
    super(`The time is over: ${step} was cut off.`);
    this.name = 'TimeOver';
    this.step = step;
  }
}

/** The error of a loop whose time was over before it had a baseline. */
export function baselineCutOff(loopId: string, maxTimeMs: number): RalphError {
  return new RalphError(
    `--max-time ${renderDuration(maxTimeMs)} was over before the checks of the untouched tree had ended.`,
    {
      code: 'budget_spent',
      exitCode: ExitCode.budget,
      hint: `Give it more time: ralph resume ${loopId} --max-time …\nor limit a check that does not end: --check-timeout 30s`,
    },
  );
}

/** True for the error of a step that the user stopped. */
export function isAborted(error: unknown): boolean {
  return error instanceof RalphError && error.code === 'aborted';
}

/** The error of a loop whose running step was stopped on the user's request and is not in the journal. */
export function abortedError(loopId: string): RalphError {
  return new RalphError('Stopped before the running step was finished. Every earlier step is saved.', {
    code: 'aborted',
    exitCode: ExitCode.interrupted,
    hint: `ralph resume ${loopId}`,
  });
}

/** Throws RalphError `check_unrunnable` if a check could not run on the untouched tree, since it could not check an attempt either. */
export function throwIfUnrunnable({ checks }: Evaluation): void {
  const broken = checks.find(({ status }) => status === 'error');
  if (broken === undefined) return;
  throw new RalphError(`The check "${broken.name}" could not run: ${broken.detail}`, {
    code: 'check_unrunnable',
    exitCode: ExitCode.check,
    hint: `Try it by hand: ${broken.command}\nor leave it out: --skip ${broken.name}`,
  });
}
