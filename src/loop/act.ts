import { messageOf, RalphError } from '../errors.ts';
import type { Actor, AttemptContext, MemoryContext } from '../ports.ts';
import type { Trajectory } from '../schema/generated.ts';
import { emptyTrajectory } from './trajectory.ts';

export interface Attempted {
  readonly trajectory: Trajectory;
  /** The actor itself could not run: reflect on it, then stop. */
  readonly fatal?: { readonly message: string; readonly hint?: string };
}

/** Lets the actor make its attempt; one that throws leaves an empty trajectory and says why. Rejects only where the disk refuses. */
export async function attemptWith(actor: Actor, context: AttemptContext): Promise<Attempted> {
  try {
    const trajectory = await actor.attempt(context);
    return { trajectory, ...(trajectory.fatal && { fatal: trajectory.fatal }) };
  } catch (error) {
    // What the disk refuses is no fault of the attempt: it is made when the loop is resumed.
    if (error instanceof RalphError && error.code === 'workspace_unwritable') throw error;
    const message = messageOf(error);
    const hint = error instanceof RalphError ? error.hint : undefined;
    return { trajectory: emptyTrajectory(actor.name, message), fatal: { message, ...(hint && { hint }) } };
  }
}

/** The attempt with a note of what it was told, so that its effect can be counted. */
export function withMemory(attempted: Attempted, memory: MemoryContext | undefined): Attempted {
  if (memory === undefined) return attempted;
  const { lessons, insights, playbook } = memory;
  const told = {
    lessons: lessons.map(({ id }) => id),
    insights: insights.length,
    playbook: playbook !== undefined,
  };
  return { ...attempted, trajectory: { ...attempted.trajectory, memory: told } };
}
