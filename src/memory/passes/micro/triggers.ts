/** When a session is looked at once more. */
export type MicroTrigger =
  | 'loop_passed'
  | 'loop_stopped'
  | 'loop_aborted'
  /** Entries are about to leave what a later look can see. */
  | 'pre_compaction'
  /** The actor ran out of room. */
  | 'context_pressure'
  /** Once a day: attempts that no other look has seen. */
  | 'daily_digest';

/** How much a look takes in, and gives. */
export interface MicroLimits {
  readonly facts: number;
  readonly entries: number;
  /** Of all entries, line breaks between them included. */
  readonly chars: number;
}

/** Of one entry. */
export const ENTRY_CHARS = 240;
/** Less is too small to learn from. */
export const LEAST = { entries: 2, chars: 80 } as const;

const WHOLE: MicroLimits = { facts: 8, entries: 80, chars: 9000 };
const SEGMENT: MicroLimits = { facts: 4, entries: 24, chars: 3200 };

export const MICRO_LIMITS: Readonly<Record<MicroTrigger, MicroLimits>> = {
  loop_passed: WHOLE,
  loop_stopped: WHOLE,
  loop_aborted: WHOLE,
  pre_compaction: SEGMENT,
  context_pressure: WHOLE,
  daily_digest: WHOLE,
};

/** What went quiet, as a heading says it. */
export const MICRO_PHRASES: Readonly<Record<MicroTrigger, string>> = {
  loop_passed: 'A loop that ended green',
  loop_stopped: 'A loop that ended without success',
  loop_aborted: 'A loop that was stopped by the user',
  pre_compaction: 'A part of a loop that is about to be left out',
  context_pressure: 'A loop whose actor is running out of room',
  daily_digest: 'Attempts that nobody has looked at yet',
};

/** What is true of the agent itself is only said where a session has come to an end or a part of it has. */
export function mayConcernAgent(trigger: MicroTrigger): boolean {
  return trigger !== 'context_pressure' && trigger !== 'daily_digest';
}
