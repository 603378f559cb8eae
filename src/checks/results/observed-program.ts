/** A program that a wrapper starts: one line of JSON in the file that `OBSERVED_FILE` names. */
export interface ObservedProgram {
  /** Name that a script would call it by, such as `jest`. */
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Name of the environment variable with the file that is appended to. */
export const OBSERVED_FILE = 'RALPH_OBSERVED';
