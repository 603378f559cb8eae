import { boundText } from '../platform/text/bounded-text.ts';
import type { ActorOutcome } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';

const EARLY: ReadonlySet<ActorOutcome> = new Set(['gave_up', 'out_of_budget', 'timed_out', 'failed']);
const MAX_CHARS = 400;

/** Why the actor ended before it said that it was done, as one line; undefined if it did not. */
export function endedEarly({ trajectory }: Pick<Attempt, 'trajectory'>): string | undefined {
  const { outcome, message } = trajectory;
  if (!EARLY.has(outcome)) return undefined;
  const line = message.replace(/\s+/g, ' ').trim();
  return line === '' ? outcome : boundText(line, MAX_CHARS).replaceAll('\n', ' ');
}
