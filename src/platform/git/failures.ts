import { existsSync } from 'node:fs';
import { ExitCode, RalphError } from '../../errors.ts';
import { folderGone } from '../files/folder-gone.ts';

/** How a git command ended. `exitCode` is null if a signal or the time-out ended it, or if it could not be started. */
export interface GitOutcome {
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const HINTS: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/No space left/i, 'Free some disk space and run it again.'],
  [
    /not a git repository/i,
    'A folder that git needs was removed or renamed while ralph ran. Restore it and run ralph again.',
  ],
];

/** The error for a git command that must not fail, with the command's name and git's message. */
export function gitFailed(args: readonly string[], { exitCode, stderr }: GitOutcome): RalphError {
  const reason = stderr.trim().slice(0, 1000) || endedWith(exitCode);
  return new RalphError(`git ${args[0] ?? ''} failed: ${reason}`, {
    code: 'repository_unusable',
    exitCode: ExitCode.workspace,
    hint: HINTS.find(([pattern]) => pattern.test(stderr))?.[1],
  });
}

/** The error for a command that could not be started: its folder `cwd` is gone, or git is not installed. */
export function gitMissing(cwd: string, cause: unknown): RalphError {
  if (!existsSync(cwd)) return folderGone(cwd, cause);
  return new RalphError('git is not installed, or not on the PATH.', {
    code: 'repository_unusable',
    exitCode: ExitCode.workspace,
    hint: 'Install git 2.30 or later and run it again.',
    cause,
  });
}

/** For a command that failed without a message. */
export function endedWith(exitCode: number | null): string {
  return exitCode === null ? 'it was ended by a signal' : `exit code ${exitCode}`;
}
