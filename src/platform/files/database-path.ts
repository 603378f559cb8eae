import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ExitCode, RalphError, messageOf } from '../../errors.ts';
import { ownUserId } from '../processes/own-user.ts';
import { makePrivateFolder } from './private-folder.ts';

/** SQLite opens no path of more than 512 bytes; it adds `-journal` and the like to the name. */
const LONGEST = 490;

/**
 * The place of an SQLite file: `path` (absolute) itself, or, where it is too long for SQLite, a file of this user's folder for
 * temporary files, always the same for the same
 * path and, in name, beside those of the same folder. Throws RalphError `workspace_unwritable` if that folder cannot be used.
 */
export function databasePath(path: string): string {
  if (Buffer.byteLength(path) <= LONGEST) return path;
  const own = join(tmpdir(), `ralph-${ownUserId()}`);
  try {
    const folder = makePrivateFolder(join(makePrivateFolder(own), 'databases'));
    const hash = createHash('sha256').update(dirname(path)).digest('hex').slice(0, 24);
    return join(folder, `${hash}-${basename(path)}`);
  } catch (cause) {
    throw new RalphError(
      `The path of the repository is too long for SQLite, and ${own} cannot be used: ${messageOf(cause)}.`,
      {
        code: 'workspace_unwritable',
        exitCode: ExitCode.workspace,
        hint: 'Move the repository to a folder with a shorter path, or set TMPDIR to a folder that only you may write to.',
        cause,
      },
    );
  }
}
