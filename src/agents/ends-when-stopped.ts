import { ExitCode, RalphError } from '../errors.ts';
import type { Actor } from '../ports.ts';
import type { AttemptContext } from '../ports/attempt.ts';

/**
 * The same actor, whose attempt is cut off when the user asks the loop to stop, because it can be made again: an attempt of the
 * search costs nothing, and one of a model no more than its finished calls. Such an attempt rejects with RalphError `aborted`.
 */
export function endsWhenStopped(actor: Actor): Actor {
  return {
    name: actor.name,
    async attempt(context) {
      throwIfStopped(context);
      const trajectory = await actor.attempt(stoppable(context));
      throwIfStopped(context);
      return trajectory;
    },
  };
}

/** The context for work that ends when the user asks the loop to stop. */
export function stoppable(context: AttemptContext): AttemptContext {
  const { signal, stop } = context;
  return stop === undefined ? context : { ...context, signal: AbortSignal.any([signal, stop]) };
}

/** Throws RalphError `aborted` if the user has asked the loop to stop. */
export function throwIfStopped({ loopId, stop }: Pick<AttemptContext, 'loopId' | 'stop'>): void {
  if (stop?.aborted !== true) return;
  throw new RalphError('Stopped before the attempt was finished. Every earlier step is saved.', {
    code: 'aborted',
    exitCode: ExitCode.interrupted,
    hint: `ralph resume ${loopId}`,
  });
}
