import { ExitCode, RalphError, messageOf } from '../errors.ts';
import { unreadable } from '../platform/files/file-errors.ts';
import { sumOf } from '../platform/files/sealed.ts';
import { readOwnFile } from '../platform/files/read-bounded.ts';

/** Journal entry of a result that is stored in its own file. Entries of earlier versions have no `$sum`. */
export interface StoredArtifact {
  /** Relative to the loop's folder. */
  readonly $artifact: string;
  readonly $sum?: string;
}

/** The journal entry for a result file with this text. */
export function storedArtifact(path: string, text: string): StoredArtifact {
  return { $artifact: path, $sum: sumOf(text) };
}

/** True for a journal entry of a result that is stored in its own file. */
export function isStoredArtifact(data: unknown): data is StoredArtifact {
  return (
    typeof data === 'object' && data !== null && '$artifact' in data && typeof data.$artifact === 'string'
  );
}

/** Reads a stored result. Throws RalphError `state_damaged` if the file is missing or its checksum differs. */
export function readArtifact(path: string, { $sum }: StoredArtifact): unknown {
  let problem: string;
  try {
    const text = readOwnFile(path).toString('utf8');
    if ($sum === undefined || sumOf(text) === $sum) return JSON.parse(text) as unknown;
    problem = 'its checksum differs';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && code !== 'ENOENT') throw unreadable(path, error);
    problem = messageOf(error);
  }
  throw new RalphError(`${path} is damaged: ${problem}`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: 'It holds the result of a finished step. ralph resume repeats the step; or restore the file from a backup.',
  });
}
