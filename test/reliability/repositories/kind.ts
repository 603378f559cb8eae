import type { Testbed } from './testbed.ts';

/** One kind of repository: how to make it with real commands, and the expected outcome of `ralph run` in it. */
export interface Kind {
  readonly name: string;
  /** Only tried in the full run, because it takes long. */
  readonly fullOnly?: boolean;
  /** Throws `Unsupported` if this machine cannot make it. */
  make(testbed: Testbed): Preparation | Promise<Preparation>;
}

/** A repository that has been made, and how to run ralph in it. */
export interface Preparation {
  /** Absolute path of the folder in which ralph is started. */
  readonly cwd: string;
  readonly expected: Repaired | Refused;
  /** Shell command of the actor; default `HONEST_FIX`. */
  readonly actor?: string;
  /** Arguments of `ralph run`; default `--command <actor>`. */
  readonly args?: readonly string[];
  /** Variables in addition to the testbed's; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Words before the program: `setpriv …`, `unshare …`. */
  readonly prefix?: readonly string[];
  /** Called at the end of the trial. */
  readonly cleanUp?: () => void;
}

/** Expected: exit code 0, the repair in the named files, and no other byte changed. */
export interface Repaired {
  /** The repaired files, relative to the testbed's `place`; bytes of names as latin1. */
  readonly repaired: readonly string[];
  /** The repair; default: replaces `a - b` by `a + b`. */
  readonly edit?: (before: Buffer) => Buffer;
  /** Other paths that may change (for `--commit`, `--branch`), relative to `place`; latin1. */
  readonly mayChange?: RegExp;
  /** Default `tree`. */
  readonly applied?: 'tree' | 'commit' | 'branch';
  /** Patterns that the output must match. */
  readonly messages?: readonly RegExp[];
  /** Further check after the delivery; returns a problem, or undefined. */
  readonly verify?: (testbed: Testbed) => string | undefined;
}

/** Expected: this exit code, a message with the problem and the remedy, and no byte changed. */
export interface Refused {
  readonly exitCode: number;
  readonly messages: readonly RegExp[];
  /** Paths that may change nevertheless. */
  readonly mayChange?: RegExp;
}

/** The kind, tried in the full run only. */
export function inFullOnly(kind: Kind): Kind {
  return { ...kind, fullOnly: true };
}

/** Thrown by `make` if this machine cannot make a kind; the message names the requirement. */
export class Unsupported extends Error {}

/** Shell command that repairs `ADDER`. */
export const HONEST_FIX = "sed -i 's/a - b/a + b/' src/add.js";

/** The outcome expected of most kinds. */
export const REPAIRED: Repaired = { repaired: ['project/src/add.js'] };
