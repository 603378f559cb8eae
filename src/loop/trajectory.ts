import type { Trajectory } from '../schema/generated.ts';
import { NO_USAGE } from '../schema/usage.ts';

/** Trajectory of an actor that could not run. */
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

/** The content of `trajectory.jsonl`: a first line on the attempt, then one action per line. */
export function trajectoryLines({ actions, ...head }: Trajectory): string {
  return [head, ...actions].map((line) => `${JSON.stringify(line)}\n`).join('');
}
