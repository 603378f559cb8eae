import { AsyncLocalStorage } from 'node:async_hooks';
import { ExitCode, RalphError } from '../../errors.ts';

/** What ends the git commands of one run. */
export interface GitLimits {
  /** Ends the commands that are running when it aborts; later ones, which save the state, still run. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that the run may still take; undefined: not limited. */
  readonly timeLeftMs?: (() => number | undefined) | undefined;
}

/** Limits of one command. */
export interface CommandLimits {
  /** A whole number. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** True if the run's time, not the command's, is the limit. */
  readonly isRunLimit: boolean;
}

/** No git command of a run takes longer, whatever it waits for. */
const LONGEST_MS = 600_000;
/** Commands that save the state of a run whose time is up, or that was stopped. */
const GRACE_MS = 30_000;

const current = new AsyncLocalStorage<GitLimits>();

/** Runs a function whose git commands, and those of everything that it starts, have these limits. */
export function limitGit<T>(limits: GitLimits, run: () => T): T {
  return current.run(limits, run);
}

/** The limits of a command that starts now. `timeoutMs`: its own; default ten minutes. */
export function commandLimits(timeoutMs = LONGEST_MS): CommandLimits {
  const { signal, timeLeftMs } = current.getStore() ?? {};
  const left = signal?.aborted === true ? 0 : timeLeftMs?.();
  const leftMs = left === undefined ? Infinity : Math.max(GRACE_MS, left);
  return {
    timeoutMs: Math.ceil(Math.min(timeoutMs, leftMs)),
    signal: signal?.aborted === true ? undefined : signal,
    isRunLimit: leftMs < timeoutMs,
  };
}

/** The error for a command that its limits ended. `command` is its name, such as `add`. */
export function gitEnded(command: string, { signal, timeoutMs, isRunLimit }: CommandLimits): RalphError {
  if (signal?.aborted === true)
    return new RalphError(`Stopped during git ${command}.`, {
      code: 'aborted',
      exitCode: ExitCode.interrupted,
    });
  const took = `git ${command} did not end within ${Math.round(timeoutMs / 1000)} s`;
  if (isRunLimit)
    return new RalphError(`The time budget is spent: ${took}.`, {
      code: 'budget_spent',
      exitCode: ExitCode.budget,
      hint: 'Give it more time with --max-time.',
    });
  return new RalphError(`${took}.`, {
    code: 'repository_unusable',
    exitCode: ExitCode.workspace,
    hint: 'Run git status in the repository: what it waits for must go. A file of many gigabytes belongs in .gitignore.',
  });
}

const ENDED: ReadonlySet<string> = new Set(['aborted', 'budget_spent']);

/** True for the error of a command that the user or the time budget ended: trying again is of no use. */
export function isEnded(error: unknown): boolean {
  return error instanceof RalphError && ENDED.has(error.code);
}
