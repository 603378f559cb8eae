import { ExitCode, RalphError } from '../../errors.ts';

/** The error for a repository or a folder in it that was removed or renamed while ralph ran. `folder` is an absolute path. */
export function folderGone(folder: string, cause?: unknown): RalphError {
  return new RalphError(`${folder} does not exist any more.`, {
    code: 'repository_unusable',
    exitCode: ExitCode.workspace,
    hint: 'It was removed or renamed while ralph ran. Restore it, or run ralph in its new place.',
    cause,
  });
}
