import type { Trajectory } from '../schema/generated.ts';
import { NO_USAGE } from '../schema/usage.ts';

/** The trajectory of an actor that could not do anything. */
export function emptyTrajectory(actor: string, message: string): Trajectory {
  return {
    actor,
    actions: [],
    rationale: '',
    strategy: 'none',
    outcome: 'failed',
    message: message.slice(0, 8000),
    usage: NO_USAGE,
    ruled_out: { tried: 0, edits: [] },
    duration_ms: 0,
  };
}

/** `trajectory.jsonl`: a first line about the attempt, then one action a line. */
export function trajectoryLines({ actions, ...head }: Trajectory): string {
  return [head, ...actions].map((line) => `${JSON.stringify(line)}\n`).join('');
}
