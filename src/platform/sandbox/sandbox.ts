import type { UsageLimits } from './limits.ts';

/** A program with its arguments, before it is started. */
export interface ProgramCall {
  /** Absolute path, or a name on the PATH. */
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** File descriptor 3 is a pipe that this process reads; the program does not begin if nobody does. */
  readonly needsReader?: boolean;
}

/** What one program may do in addition to the policy of its sandbox. Paths are absolute and real. */
export interface Exceptions {
  /** Folders that it can write. */
  readonly write?: readonly string[];
  /** Files and folders that it can read: otherwise hidden ones, or those that are read-only in a writable folder. */
  readonly read?: readonly string[];
  /** It has the network; only bubblewrap can allow that. */
  readonly network?: boolean;
  /** It gets its whole environment, with the secrets in it. */
  readonly wholeEnvironment?: boolean;
}

/** Restricts what programs can write, read and connect to, to one workspace. */
export interface Sandbox {
  readonly engine: 'bubblewrap' | 'sandbox-runtime';
  /** Undefined: nothing is limited. */
  readonly bounds?: Bounds | undefined;
  /** The same sandbox with exceptions, for one program. */
  allowing(exceptions: Exceptions): Sandbox;
  /** The call that runs the program in the sandbox. Rejects only if the engine itself is broken. */
  enclose(call: ProgramCall): Promise<ProgramCall>;
  /** The engine's own error if it did not start the program; undefined if it did. */
  failureIn(outcome: { readonly exitCode: number | null; readonly stderr: string }): string | undefined;
  /** Called when the engine did not start a program, so that it is tried before the next use. */
  refused?(): void;
}

/** Limits of a confined program, and where it can write. Paths are absolute. */
export interface Bounds {
  readonly limits: UsageLimits;
  /** Folders that are kept in memory inside the sandbox. */
  readonly inMemory: readonly string[];
  readonly onDisk: readonly string[];
}

/** Access of confined programs to files and the network. All paths are absolute and real. */
export interface SandboxPolicy {
  /** Writable folders. For a file in several of the paths below, the innermost decides. */
  readonly write: readonly string[];
  /** Read-only files and folders. */
  readonly read: readonly Visible[];
  /** Folders whose entries are read-only, but in which new files can be written; these are lost when the program ends. */
  readonly scratch: readonly string[];
  /** Empty folders; files written there are lost when the program ends. */
  readonly hide: readonly string[];
  /** Files and sockets that appear as empty files. */
  readonly blank: readonly string[];
  /** False: only a loopback interface of the program's own. */
  readonly network: boolean;
  /** Names of further inherited variables that are passed on. */
  readonly passEnv: readonly string[];
  /** The whole environment is passed on. */
  readonly wholeEnvironment?: boolean | undefined;
  /** Undefined: nothing is limited. */
  readonly limits?: UsageLimits | undefined;
}

/** `from` is the real path, `at` the path in the sandbox; they differ if `at` is reached by a symbolic link. */
export interface Visible {
  readonly from: string;
  readonly at: string;
}
