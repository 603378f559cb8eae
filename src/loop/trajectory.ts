import type { Trajectory } from '../schema/generated.ts';
import { NO_USAGE } from '../schema/usage.ts';
import { validate } from '../schema/validate.ts';

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

/** The intact lines of a `trajectory.jsonl`. */
export interface ReadTrajectory {
  /** Without the damaged actions; undefined if the first line is damaged. */
  readonly trajectory: Trajectory | undefined;
  /** 1-based numbers of the lines that are not what `trajectoryLines` writes, in ascending order. */
  readonly damagedLines: readonly number[];
}

/** Reads what `trajectoryLines` wrote, as far as it is intact. Never throws. */
export function parseTrajectory(text: string): ReadTrajectory {
  const [first, ...rest] = text.trimEnd().split('\n').map(parseLine);
  const head = validTrajectory(first, []);
  if (head === undefined) return { trajectory: undefined, damagedLines: [1] };
  const read = rest.map((action) => validTrajectory(first, [action])?.actions[0]);
  return {
    trajectory: { ...head, actions: read.filter((action) => action !== undefined) },
    damagedLines: read.flatMap((action, index) => (action === undefined ? [index + 2] : [])),
  };
}

function validTrajectory(head: unknown, actions: readonly unknown[]): Trajectory | undefined {
  if (typeof head !== 'object' || head === null) return undefined;
  const checked = validate('trajectory', { ...head, actions });
  return checked.ok ? checked.value : undefined;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
