import { readFileSync } from 'node:fs';
import { ExitCode, RalphError, messageOf } from '../errors.ts';
import { unreadable } from '../platform/files/durable-write.ts';
import { sumOf } from '../platform/files/sealed.ts';

/** How a result that is kept in a file of its own stands in the journal; without `$sum` in those of older versions. */
export interface StoredArtifact {
  /** Relative to the loop's folder. */
  readonly $artifact: string;
  readonly $sum?: string;
}

/** The entry for a result's file with this text. */
export function storedArtifact(path: string, text: string): StoredArtifact {
  return { $artifact: path, $sum: sumOf(text) };
}

export function isStoredArtifact(data: unknown): data is StoredArtifact {
  return (
    typeof data === 'object' && data !== null && '$artifact' in data && typeof data.$artifact === 'string'
  );
}

/** The result that was kept. Throws RalphError `state_damaged` where the file is gone, or not as it was written. */
export function readArtifact(path: string, { $sum }: StoredArtifact): unknown {
  let problem: string;
  try {
    const text = readFileSync(path, 'utf8');
    if ($sum === undefined || sumOf(text) === $sum) return JSON.parse(text) as unknown;
    problem = 'it is not as it was written: its checksum differs';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && code !== 'ENOENT') throw unreadable(path, error);
    problem = messageOf(error);
  }
  throw new RalphError(`${path} is damaged: ${problem}`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: 'A finished step is kept there. ralph resume does it again; or put the file back from a backup.',
  });
}
