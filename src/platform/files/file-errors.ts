import { existsSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { ExitCode, RalphError, messageOf } from '../../errors.ts';
import { folderGone } from './folder-gone.ts';

const REFUSALS = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM']);

/**
 * RalphError with exit code 4 for an error of the operating system, such as a full disk or a folder that was removed; undefined
 * for every other error.
 */
export function refusedBySystem(error: unknown): RalphError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', message, path, syscall } = error as NodeJS.ErrnoException;
  const gone = code === 'ENOENT' && path !== undefined ? missingFolder(path, syscall) : undefined;
  if (gone !== undefined) return folderGone(gone, error);
  // Node's `rmSync` gives some errors no code, but the system's words for them.
  const isUncoded = code === '' && syscall === 'rm' && message.includes('Unknown error: ');
  if (!REFUSALS.has(code) && !isUncoded) return undefined;
  return unwritable(path ?? `a file (${message})`, error);
}

/** The outermost missing folder of a path that was not found; undefined if only the file is missing, which ralph should expect. */
function missingFolder(path: string, syscall: string | undefined): string | undefined {
  if (!isAbsolute(path)) return undefined;
  let folder = syscall === 'scandir' || syscall === 'opendir' ? path : dirname(path);
  if (existsSync(folder)) return undefined;
  while (!existsSync(dirname(folder))) folder = dirname(folder);
  return folder;
}

/** RalphError with exit code 4 for a file that exists and cannot be read. */
export function unreadable(path: string, cause: unknown): RalphError {
  return new RalphError(`Could not read ${path}: ${messageOf(cause)}`, {
    code: 'workspace_unwritable',
    exitCode: ExitCode.workspace,
    hint: 'Check the permissions, and the limit of open files (ulimit -n).',
    cause,
  });
}

/** RalphError with exit code 4 for a file that cannot be written, with a remedy. */
export function unwritable(path: string, cause: unknown): RalphError {
  const full = (cause as NodeJS.ErrnoException).code === 'ENOSPC';
  return new RalphError(`Could not write ${path}: ${messageOf(cause).replace(/^, Unknown error: /, '')}`, {
    code: 'workspace_unwritable',
    exitCode: ExitCode.workspace,
    hint: full
      ? 'Free some disk space and run it again.'
      : 'Check the permissions, and that its folder is a folder.',
    cause,
  });
}
