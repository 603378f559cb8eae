import { existsSync } from 'node:fs';
import type { SimpleGit, SimpleGitOptions } from 'simple-git';
import type { Readable } from 'node:stream';
import { markCommand } from './end-command.ts';
import { gitEnvironment } from './environment.ts';
import { endedWith, gitMissing, type GitOutcome } from './failures.ts';
import { NO_HOOKS_CONFIG, QUIET_CONFIG } from './git.ts';
import { commandLimits, gitEnded } from './limits.ts';

export interface UserGitRequest {
  /** Absolute path of the folder that the command runs in. */
  readonly cwd: string;
  /** Runs the user's hooks: only for the commit that the user asked for, and where nothing is confined anyway. */
  readonly hooks?: boolean;
  /** Standard input of the command. Not empty: simple-git leaves the input open for an empty one. */
  readonly input?: Buffer;
  readonly timeoutMs?: number;
  /** Configuration of this command alone, such as a header with a token: neither in its arguments nor in a file. */
  readonly config?: Readonly<Record<string, string>>;
  /** Further environment variables, for example `GIT_DIR`. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The result of a task, or how git failed. */
export type GitAnswer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly outcome: GitOutcome };

/**
 * simple-git refuses these because an argument or a variable from outside could start a program. Here arguments are
 * ralph's own and the environment is the user's, with whose rights git runs anyway. Editors, hooks and the file
 * system monitor are set to do nothing, which it refuses as well.
 */
const PERMITTED: SimpleGitOptions['unsafe'] = {
  allowUnsafeEditor: true,
  allowUnsafeHooksPath: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeFilter: true,
  allowUnsafeTemplateDir: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeAskPass: true,
  allowUnsafeSshCommand: true,
  allowUnsafePager: true,
  allowUnsafeExec: true,
  // Otherwise a variable that simple-git sets would make abbreviated options fail in the user's hooks.
  allowAbbreviatedOptions: true,
};

/**
 * Git work as a user does it, by simple-git, in the same clean environment as `runGit`: no prompt, no optional
 * lock, hooks only if asked for. `task` gets a git of its own and returns the result of one of its commands. Any exit
 * code but 0, and the end of the request's own time, is a failure. Throws RalphError if git is not installed, the folder is
 * gone, or the limits of `limitGit` ended the command.
 */
export async function userGit<T>(
  request: UserGitRequest,
  task: (git: SimpleGit) => PromiseLike<T>,
): Promise<GitAnswer<T>> {
  const { cwd, hooks = false, input, timeoutMs, variables } = request;
  const { simpleGit } = await import('simple-git');
  const processes = markCommand();
  // Hooks see the mark of the loop that they run in.
  const env = { ...gitEnvironment(request), ...variables, ...(hooks ? {} : processes.variables) };
  let outcome: GitOutcome | undefined;
  const limits = commandLimits(timeoutMs);
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const abort = limits.signal === undefined ? timeout : AbortSignal.any([timeout, limits.signal]);
  const git = simpleGit({
    baseDir: cwd,
    config: hooks ? [...QUIET_CONFIG] : [...QUIET_CONFIG, NO_HOOKS_CONFIG],
    unsafe: PERMITTED,
    allowEnvironment: Object.keys(env),
    // All of the output is there at `close`; `exit` may come before the last of it.
    completion: { onClose: true, onExit: false },
    abort,
    input: input === undefined ? undefined : () => input,
    errors(error, { exitCode, stdOut, stdErr }) {
      if (error === undefined && exitCode === 0) return undefined;
      const stderr = Buffer.concat(stdErr).toString('utf8');
      outcome = { exitCode, stdout: Buffer.concat(stdOut), stderr };
      return error ?? Buffer.from(endedWith(exitCode));
    },
  });
  let outputs: readonly Readable[] = [];
  git.outputHandler((_, stdout, stderr) => (outputs = [stdout, stderr] as Readable[]));
  // simple-git sends a signal to git alone, and waits for the outputs that what git has started holds open.
  abort.addEventListener('abort', () => processes.end(outputs), { once: true });
  try {
    return { ok: true, value: await task(git.env(env)) };
  } catch (error) {
    const isOwnTimeout = timeoutMs !== undefined && !limits.isRunLimit;
    if (limits.signal?.aborted === true || (timeout.aborted && !isOwnTimeout))
      throw gitEnded('command', limits);
    if (outcome === undefined) throw existsSync(cwd) ? error : gitMissing(cwd, error);
    if (/^Error: spawn git ENOENT/m.test(outcome.stderr)) throw gitMissing(cwd, error);
    return { ok: false, outcome };
  }
}
