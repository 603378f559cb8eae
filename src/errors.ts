/** Process exit codes. Scripts and CI jobs rely on them; see docs/reference/exit-codes.md. */
export const ExitCode = {
  verified: 0,
  unverified: 1,
  usage: 2,
  budget: 3,
  workspace: 4,
  actor: 5,
  check: 6,
  state: 7,
  unproven: 8,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Stable name for each reason why a run cannot start or continue. */
export type ErrorCode =
  | 'usage'
  | 'config_invalid'
  | 'config_untrusted'
  | 'config_changed'
  | 'no_sandbox'
  | 'no_repository'
  | 'no_commits'
  | 'workspace_unwritable'
  | 'repository_unusable'
  | 'conflict'
  | 'locked'
  | 'lock_stopped'
  | 'no_package'
  | 'no_dependencies'
  | 'no_program'
  | 'no_checks'
  | 'check_unrunnable'
  | 'actor_failed'
  | 'budget_spent'
  | 'state_damaged'
  | 'unknown_loop'
  | 'aborted'
  | 'github_failed'
  | 'database_failed'
  | 'internal';

export interface RalphErrorOptions {
  readonly code: ErrorCode;
  readonly exitCode: ExitCode;
  /** Remedy: what the user can type or change. Printed on its own line below the message. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * Thrown only when the run cannot continue; caught once, in `cli/main.ts`. Expected failures are return values.
 * The message names the option or file and its value.
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

/** The error for a wrong flag, argument or value on the command line: exit code 2. */
export function usageError(message: string, hint?: string): RalphError {
  return new RalphError(message, { code: 'usage', exitCode: ExitCode.usage, hint });
}

/** The message of a thrown value, which need not be an Error. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    // An object without a prototype has no text.
    return 'a value without a text';
  }
}
