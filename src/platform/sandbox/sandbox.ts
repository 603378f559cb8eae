/** A program that is about to be started. */
export interface ProgramCall {
  /** Absolute path, or a name that is looked up on the PATH. */
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Absolute paths that one program needs beside what its sandbox gives to all. */
export interface ExtraPaths {
  /** Folders that it may write. */
  readonly write?: readonly string[];
  /** Files and folders that it may read where they would be hidden. */
  readonly read?: readonly string[];
}

/** Confines programs to one workspace: what they may write, read and reach. */
export interface Sandbox {
  readonly engine: 'bubblewrap' | 'sandbox-runtime';
  /** The same sandbox, opened a little further for one program. */
  allowing(extra: ExtraPaths): Sandbox;
  /** The call that runs this one inside. Rejects only where the engine itself is broken. */
  enclose(call: ProgramCall): Promise<ProgramCall>;
  /** Why the program was never started, told by the engine itself; undefined where it was started. */
  failureIn(outcome: { readonly exitCode: number | null; readonly stderr: string }): string | undefined;
}

/** What confined programs find; every path is absolute and real. */
export interface SandboxPolicy {
  /** Folders that may be written. The innermost of all the paths below that holds a file decides about it. */
  readonly write: readonly string[];
  /** Files and folders that are there, read-only. */
  readonly read: readonly Visible[];
  /** Folders that are empty: what is written into them is gone with the program. */
  readonly hide: readonly string[];
  /** Files and sockets that are there, but empty. */
  readonly blank: readonly string[];
  /** Without it there is a loopback of the program's own, and nothing else. */
  readonly network: boolean;
  /** Names of inherited variables that are passed on beside the ordinary ones. */
  readonly passEnv: readonly string[];
}

/** `at` is where the programs see it, which differs from where it is where a symbolic link leads there. */
export interface Visible {
  readonly from: string;
  readonly at: string;
}
