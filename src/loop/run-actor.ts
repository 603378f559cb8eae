import { messageOf, RalphError } from '../errors.ts';
import type { Actor } from '../ports.ts';
import type { AttemptContext } from '../ports/attempt.ts';
import type { MemoryContext } from '../ports/memory.ts';
import type { FatalFailure, Trajectory, WithheldMemory } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';
import { emptyTrajectory } from './trajectory.ts';

export interface ActorResult {
  readonly trajectory: Trajectory;
  /** Set if the actor itself could not run: the loop reflects on it, then ends (see `endsLoop`). */
  readonly fatal?: Trajectory['fatal'];
}

/** The attempt did not fail; a resumed loop makes it, when the disk has space. */
const NOT_MADE: ReadonlySet<string> = new Set(['workspace_unwritable', 'aborted']);

/**
 * Runs the actor. If it throws, the trajectory is empty and `fatal` has the message. Rejects only with
 * `workspace_unwritable`, when the disk refuses a write, and with `aborted`, when the user stops the loop.
 */
export async function runActor(actor: Actor, context: AttemptContext): Promise<ActorResult> {
  try {
    const trajectory = await actor.attempt(context);
    return { trajectory, fatal: trajectory.fatal };
  } catch (error) {
    if (error instanceof RalphError && NOT_MADE.has(error.code)) throw error;
    const message = messageOf(error);
    const hint = error instanceof RalphError ? error.hint : undefined;
    return { trajectory: emptyTrajectory(actor.name, message), fatal: { message, hint } };
  }
}

/** True for a failure of the actor after which no further attempt is made. `before`: the attempt before, if there was one. */
export function endsLoop(fatal: FatalFailure, before: Pick<Attempt, 'trajectory'> | undefined): boolean {
  return fatal.if_repeated !== true || before?.trajectory.fatal !== undefined;
}

/** The result with a note of the memory that the attempt was shown and was not, so that its effect can be counted. */
export function noteShownMemory(
  result: ActorResult,
  memory: MemoryContext | undefined,
  withheld: WithheldMemory | undefined,
): ActorResult {
  if (memory === undefined && withheld === undefined) return result;
  const { lessons = [], insights = [], playbook } = memory ?? {};
  const shown = {
    lessons: lessons.map(({ id }) => id),
    insights: insights.length,
    playbook: playbook !== undefined,
    withheld,
  };
  return { ...result, trajectory: { ...result.trajectory, memory: shown } };
}
