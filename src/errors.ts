/** Process exit codes: the contract that scripts and CI jobs rely on. */
export const ExitCode = {
  verified: 0,
  unverified: 1,
  usage: 2,
  budget: 3,
  workspace: 4,
  actor: 5,
  check: 6,
  state: 7,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** A stable, greppable name for each way in which a run can be impossible. */
export type ErrorCode =
  | 'usage'
  | 'config_invalid'
  | 'no_sandbox'
  | 'no_repository'
  | 'no_commits'
  | 'workspace_unwritable'
  | 'repository_unusable'
  | 'conflict'
  | 'locked'
  | 'no_package'
  | 'no_dependencies'
  | 'no_checks'
  | 'check_unrunnable'
  | 'actor_failed'
  | 'budget_spent'
  | 'state_damaged'
  | 'unknown_loop'
  | 'aborted'
  | 'github_failed'
  | 'internal';

export interface RalphErrorOptions {
  readonly code: ErrorCode;
  readonly exitCode: ExitCode;
  /** What the user can type or change to get on; shown on a line of its own. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * Thrown only when the run cannot go on; caught once, in `cli/main.ts`.
 * The message names the option or file and its value; the hint is the remedy.
 */
export class RalphError extends Error {
  readonly code: ErrorCode;
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(message: string, options: RalphErrorOptions) {
    super(message, { cause: options.cause });
    this.name = 'RalphError';
    this.code = options.code;
    this.exitCode = options.exitCode;
    this.hint = options.hint;
  }
}

/** A wrong flag, argument or value on the command line. */
export function usageError(message: string, hint?: string): RalphError {
  return new RalphError(message, { code: 'usage', exitCode: ExitCode.usage, hint });
}

/** The text of anything that was thrown, one line where it can be. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
