import { relative } from 'node:path';
import { RalphError } from '../errors.ts';
import type { JournalRecord } from '../schema/generated.ts';
import { writeDurably } from '../platform/files/durable-write.ts';
import { unreadable } from '../platform/files/file-errors.ts';
import { ralphFolder } from '../platform/ralph-folder.ts';
import { keepDamaged } from '../platform/files/set-aside.ts';
import { isStoredArtifact, readArtifact } from './artifact.ts';
import { scanJournal } from './journal.ts';
import { readState } from './loops.ts';
import { readOwnFile } from '../platform/files/read-bounded.ts';

/** A damaged file of a loop. Paths are relative to the repository's root. */
export interface Salvaged {
  readonly path: string;
  readonly problem: string;
  /** Copy of the damaged file. */
  readonly aside: string;
  /** Finished steps that must be repeated. */
  readonly lostSteps: readonly string[];
}

/**
 * Repairs a loop's files; the caller holds the repository's lock. The journal is cut before its first damaged line, or
 * before the first step whose result file is damaged. A damaged state is moved away; the loop saves it again. Damaged files
 * are copied beside their place. Returns what was found. Throws RalphError if the disk refuses a write.
 */
export async function salvageLoop(repositoryRoot: string, loopId: string): Promise<Salvaged[]> {
  const pathOf = (path: string): string => ralphFolder(repositoryRoot).inLoop(loopId, path);
  const found = [await salvageJournal(pathOf), await salvageState(repositoryRoot, loopId, pathOf)];
  return found
    .filter((item) => item !== undefined)
    .map((item) => ({
      ...item,
      path: relative(repositoryRoot, item.path),
      aside: relative(repositoryRoot, item.aside),
    }));
}

type PathOf = (path: string) => string;

async function salvageJournal(pathOf: PathOf): Promise<Salvaged | undefined> {
  const path = pathOf('journal.jsonl');
  const { records, bytes, file, problem } = scanJournal(path);
  const damaged = firstDamagedResult(records, pathOf);
  if (damaged === undefined && problem === undefined) return undefined;
  const end = damaged === undefined ? bytes : startOf(damaged.index, file);
  const aside = await keepDamaged(path, file);
  await writeDurably(path, file.subarray(0, end));
  return {
    path,
    aside,
    problem: damaged?.problem ?? problem!,
    lostSteps: damaged === undefined ? [] : records.slice(damaged.index).map(({ step }) => step),
  };
}

/** The first step with a damaged result file. */
function firstDamagedResult(
  records: readonly JournalRecord[],
  pathOf: PathOf,
): { readonly index: number; readonly problem: string } | undefined {
  for (const [index, { data }] of records.entries()) {
    if (!isStoredArtifact(data)) continue;
    try {
      readArtifact(pathOf(data.$artifact), data);
    } catch (error) {
      if (error instanceof RalphError && error.code === 'state_damaged')
        return { index, problem: error.message };
      throw error;
    }
  }
  return undefined;
}

/** Offset of a line in bytes; `line` is 0-based. */
function startOf(line: number, file: Buffer): number {
  let start = 0;
  for (let number = 0; number < line; number++) start = file.indexOf(0x0a, start) + 1;
  return start;
}

async function salvageState(
  repositoryRoot: string,
  loopId: string,
  pathOf: PathOf,
): Promise<Salvaged | undefined> {
  const path = pathOf('state.json');
  try {
    await readState(repositoryRoot, loopId);
    return undefined;
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== 'state_damaged') throw error;
    return { path, problem: error.message, aside: await keepDamaged(path, contentOf(path)), lostSteps: [] };
  }
}

function contentOf(path: string): Buffer {
  try {
    return readOwnFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}
