/** A known tool that a wrapper starts, and that is stopped: one line of JSON in the file that `OBSERVED_FILE` names. */
export interface ObservedProgram {
  /** Name that a script would call it by, such as `jest`. */
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /** Absolute folder in whose node_modules it is installed, links resolved; absent where Node itself is the tool. */
  readonly installedIn?: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True for a tool in the wrapper's own process, which ends with it: nothing is known of what would follow. */
  readonly isInWrapper?: boolean;
}

/** Any other process of Node, which goes on: the wrapper itself first. A line like that of a tool. */
export interface ObservedProcess {
  /** npm package that holds its entry file; null for a file of the repository, and for code on the command line. */
  readonly package: string | null;
}

/** Name of the environment variable with the file that is appended to. */
export const OBSERVED_FILE = 'RALPH_OBSERVED';
