import type { Files } from '../repositories/testbed.ts';

/** A check that misbehaves in one way, and how ralph must judge it. */
export interface Fault {
  readonly name: string;
  /** Only tried in the full run. */
  readonly fullOnly?: boolean;
  /** Shell command line of the check; default: the repository's own `node --test`. */
  readonly command?: string;
  /** The repository's test script; default `node --test`. */
  readonly script?: string;
  /** Files in addition to a small package whose tests pass. */
  readonly files?: Files;
  /** Time limit of the check; default 30. */
  readonly timeoutSeconds?: number;
  readonly expected: Expected;
}

export interface Expected {
  readonly exitCode: number;
  readonly status: 'pass' | 'fail' | 'error';
  /** Pattern of the check's `detail`. */
  readonly detail: RegExp;
  /** Patterns of the stored output. */
  readonly output?: readonly RegExp[];
  /** Time limit of the whole run; default: `timeoutSeconds` + 20. */
  readonly withinSeconds?: number;
}

/** Limit of ralph's resident memory. */
export const MAX_MEMORY_MB = 700;

/** Limit of the stored output, in characters. */
export const MAX_OUTPUT = 33_000;
