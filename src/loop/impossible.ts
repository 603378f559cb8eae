import { ExitCode, RalphError } from '../errors.ts';
import type { Evaluation } from '../schema/generated.ts';

/** The actor could not run at all; it was reflected on, and the loop ends. */
export function actorError({
  message,
  hint,
}: {
  readonly message: string;
  readonly hint?: string;
}): RalphError {
  return new RalphError(message, { code: 'actor_failed', exitCode: ExitCode.actor, hint });
}

/** The user insisted: the running step was killed and is not in the journal. */
export function abortedError(loopId: string): RalphError {
  return new RalphError('Stopped before the running step was finished; every step before it is saved.', {
    code: 'aborted',
    exitCode: ExitCode.interrupted,
    hint: `ralph resume ${loopId}`,
  });
}

/** A check that cannot run on the untouched tree says nothing about any attempt either. */
export function throwIfUnrunnable(evaluation: Evaluation): void {
  const broken = evaluation.checks.find(({ status }) => status === 'error');
  if (broken === undefined) return;
  throw new RalphError(`The check "${broken.name}" could not run: ${broken.detail}`, {
    code: 'check_unrunnable',
    exitCode: ExitCode.check,
    hint: `Try it by hand: ${broken.command}\nor leave it out: --skip ${broken.name}`,
  });
}
