import type { ChangedCall } from '../replay/recorder/change-arguments.ts';
import type { RepeatableCall } from '../replay/repeat-calls.ts';
import type { Behaviour } from './behaviour.ts';
import type { Probe } from './probes.ts';

/** A call as it was before the change and as it is now. */
export interface Compared {
  readonly call: RepeatableCall;
  readonly before: Behaviour;
  readonly now: Behaviour;
  /** Whether its source still has each statement by which it threw an error. */
  readonly keepsErrors?: boolean;
}

/** A probe, of a function that the tests call. */
export interface Probed extends Compared, Pick<Probe, 'kind' | 'mark'> {
  /** The calls of the tests. */
  readonly own: readonly Compared[];
}

export interface Rule<Of extends Compared> {
  /** What tests that ask for the difference name, outside of their imports. */
  readonly named?: RegExp;
  /** Whether tests ask for the difference of a call. */
  readonly isAsked?: (compared: Of, texts: readonly string[]) => boolean;
  readonly change?: ChangedCall;
  readonly isTimed?: boolean;
  readonly holds: (compared: Of) => boolean;
  /** What the function does, behind its name, and what it should do. */
  readonly says: (compared: Of) => string;
}

export function errorIn({ thrown }: Behaviour): string {
  const name = thrown?.classes[0];
  return name === undefined ? 'something that is no error' : `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}`;
}
