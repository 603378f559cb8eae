import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { RalphError } from '../errors.ts';
import type { JournalRecord } from '../schema/generated.ts';
import { unreadable, writeDurably } from '../platform/files/durable-write.ts';
import { ralphPath } from '../platform/ralph-folder.ts';
import { keepDamaged } from '../platform/files/set-aside.ts';
import { isStoredArtifact, readArtifact } from './artifact.ts';
import { scanJournal } from './journal.ts';
import { readState } from './loops.ts';

/** A file of a loop that was damaged. Paths are relative to the repository's root. */
export interface Salvaged {
  readonly path: string;
  readonly problem: string;
  /** Where the damaged content is kept. */
  readonly aside: string;
  /** Steps that were finished and are to be done again. */
  readonly lostSteps: readonly string[];
}

/**
 * Makes a loop's files usable again, holding the repository's lock: the journal ends before its first damage, or
 * before the first step whose result is damaged; a damaged state is left for the loop to save anew. What was there
 * is kept beside it. Gives what was found; nothing in a sound loop. Throws RalphError where the disk refuses.
 */
export async function salvageLoop(repositoryRoot: string, loopId: string): Promise<Salvaged[]> {
  const pathOf = (path: string): string => ralphPath(repositoryRoot, 'loops', loopId, path);
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
  const spoiled = firstSpoiled(records, pathOf);
  if (spoiled === undefined && problem === undefined) return undefined;
  const end = spoiled === undefined ? bytes : startOf(spoiled.index, file);
  const aside = await keepDamaged(path, file);
  await writeDurably(path, file.subarray(0, end));
  return {
    ...{ path, aside, problem: spoiled?.problem ?? problem! },
    lostSteps: spoiled === undefined ? [] : records.slice(spoiled.index).map(({ step }) => step),
  };
}

/** The first step whose result lies in a file that is damaged. */
function firstSpoiled(
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

/** Byte at which a line begins; 0-based. */
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
    return readFileSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}
