import type { ActorOutcome } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';

const EARLY: ReadonlySet<ActorOutcome> = new Set(['gave_up', 'out_of_budget', 'timed_out', 'failed']);
const MAX_CHARS = 400;

/** Why the actor ended before it said that it was done, as the first line of its message; undefined if it did not. */
export function endedEarly({ trajectory }: Pick<Attempt, 'trajectory'>): string | undefined {
  const { outcome, message } = trajectory;
  if (!EARLY.has(outcome)) return undefined;
  const [first = ''] = message.trim().split('\n');
  return first === '' ? outcome : first.slice(0, MAX_CHARS);
}
