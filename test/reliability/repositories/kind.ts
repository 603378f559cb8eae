import type { Ground } from './ground.ts';

/** One kind of repository: how it is made with real commands, and what `ralph run` must do there. */
export interface Kind {
  readonly name: string;
  /** Made in the full run alone: it takes long. */
  readonly fullOnly?: boolean;
  /** Throws `NotHere` where this machine cannot make it. */
  make(ground: Ground): Made | Promise<Made>;
}

export interface Made {
  /** Absolute folder that ralph is started in. */
  readonly cwd: string;
  /** Top of the user's tree; default `cwd`. */
  readonly root?: string;
  readonly expected: Repaired | Refused;
  /** What the actor does; default: `sed` puts the right operator into `src/add.js`. */
  readonly actor?: string;
  /** Instead of `--command <actor>`. */
  readonly args?: readonly string[];
  /** On top of the ground's; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Words in front of the program: `setpriv …`, `unshare …`. */
  readonly through?: readonly string[];
  /** Called after everything was compared. */
  readonly cleanUp?: () => void;
}

/** Exit code 0, the bug gone from one file, and not another byte changed. */
export interface Repaired {
  /** The files that get the repair, relative to the ground's `place`; names are bytes as latin1. */
  readonly repaired: readonly string[];
  /** What the repair is; default: `a - b` becomes `a + b`. */
  readonly edit?: (before: Buffer) => Buffer;
  /** Where else a change is part of what was asked for (`--commit`, `--branch`); relative to `place`, latin1. */
  readonly mayChange?: RegExp;
  /** Default `tree`. */
  readonly applied?: 'tree' | 'commit' | 'branch';
  /** What the output must say. */
  readonly says?: readonly RegExp[];
  /** Says what is wrong after the delivery; undefined where nothing is. */
  readonly also?: (ground: Ground) => string | undefined;
}

/** This exit code, a message that names what is wrong and the remedy, and not a byte changed. */
export interface Refused {
  readonly exitCode: number;
  readonly says: readonly RegExp[];
  /** Default: nothing. */
  readonly mayChange?: RegExp;
}

export function inFullOnly(kind: Kind): Kind {
  return { ...kind, fullOnly: true };
}

/** Thrown by `make` where a kind cannot be made on this machine; the message says what it needs. */
export class NotHere extends Error {}

export const HONEST_FIX = "sed -i 's/a - b/a + b/' src/add.js";

/** What most kinds expect. */
export const REPAIRED: Repaired = { repaired: ['project/src/add.js'] };
