/** The occasion of a micro-reflection. */
export type MicroTrigger =
  | 'loop_passed'
  | 'loop_stopped'
  | 'loop_aborted'
  /** The session outgrew the window: its oldest entries would not fit at the loop's end. */
  | 'pre_compaction'
  /** The actor ran out of its budget. */
  | 'context_pressure'
  /** Once a day, for attempts that no other micro-reflection has read. */
  | 'daily_digest';

/** Limits of one micro-reflection. */
export interface MicroLimits {
  readonly facts: number;
  readonly entries: number;
  /** Characters of all rendered entries, line breaks included. */
  readonly chars: number;
}

/** Characters of one entry. */
export const ENTRY_CHARS = 240;
/** Smaller sessions are skipped. */
export const LEAST = { entries: 2, chars: 80 } as const;

const WHOLE_SESSION: MicroLimits = { facts: 8, entries: 80, chars: 9000 };
const SEGMENT: MicroLimits = { facts: 4, entries: 24, chars: 3200 };

export const MICRO_LIMITS: Readonly<Record<MicroTrigger, MicroLimits>> = {
  loop_passed: WHOLE_SESSION,
  loop_stopped: WHOLE_SESSION,
  loop_aborted: WHOLE_SESSION,
  pre_compaction: SEGMENT,
  context_pressure: WHOLE_SESSION,
  daily_digest: WHOLE_SESSION,
};

/** The session as a noun phrase for the prompt. */
export const MICRO_PHRASES: Readonly<Record<MicroTrigger, string>> = {
  loop_passed: 'A loop that passed',
  loop_stopped: 'A loop that ended without success',
  loop_aborted: 'A loop that the user stopped',
  pre_compaction: 'A part of a loop that is about to be left out',
  context_pressure: 'A loop whose actor is running out of its budget',
  daily_digest: 'Attempts that have not been reviewed yet',
};

/** Facts about the agent itself are accepted only where a session, or a part of it, has ended. */
export function allowsAgentFacts(trigger: MicroTrigger): boolean {
  return trigger !== 'context_pressure' && trigger !== 'daily_digest';
}
