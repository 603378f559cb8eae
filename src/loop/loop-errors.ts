import { ExitCode, RalphError } from '../errors.ts';
import type { Evaluation } from '../schema/generated.ts';
import type { ActorResult } from './run-actor.ts';

/** The error of a loop whose actor could not run at all. */
export function actorError({ message, hint }: NonNullable<ActorResult['fatal']>): RalphError {
  return new RalphError(message, { code: 'actor_failed', exitCode: ExitCode.actor, hint });
}

/** The error of a loop whose running step was killed on the user's request and is not in the journal. */
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
