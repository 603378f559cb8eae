import type { Files } from '../repositories/ground.ts';

/** One way in which a check misbehaves, and what has to be said of it. */
export interface Fault {
  readonly name: string;
  readonly fullOnly?: boolean;
  /** A shell command line that is the check; default: the repository's own `node --test`. */
  readonly command?: string;
  /** The repository's test script; default `node --test`. */
  readonly script?: string;
  /** On top of a small repository whose tests pass; `fault.sh` and `fault.mjs` are the usual names. */
  readonly files?: Files;
  /** For the check; default 30. */
  readonly timeoutSeconds?: number;
  readonly expected: Expected;
}

export interface Expected {
  readonly exitCode: number;
  readonly status: 'pass' | 'fail' | 'error';
  /** What the check's one sentence says. */
  readonly detail: RegExp;
  /** What the output that is kept must hold, or end with. */
  readonly output?: readonly RegExp[];
  /** Longest whole run; default: 20 s more than the check's time. */
  readonly withinSeconds?: number;
}

/** Peak of resident memory that no fault may push ralph over, whatever its size. */
export const MOST_MEMORY_MB = 700;

/** Characters of output that a stored check may have. */
export const MOST_OUTPUT = 33_000;
