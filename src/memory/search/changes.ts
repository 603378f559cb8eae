import { ralphFolder } from '../../platform/ralph-folder.ts';
import { loopFolders } from '../episodes/reflection-files.ts';
import type { DatabaseSync } from './database.ts';
import { hasRecentLook, recordLook } from '../episodes/last-look.ts';
import { indexedFolders, type IndexedState } from './indexed-state.ts';
import { isStamp, matchesStamp, stampOf, type Stamp } from './stamp.ts';

/**
 * Up to this many files, every query compares each file with the index. In larger stores that would dominate the query.
 * There, every query compares the folder of all reflections, which shows ralph's own writes and new loops; the loops'
 * folders are compared every ten seconds, which shows files that were added, removed or replaced (as git and most editors
 * write); files changed in place are looked for once in `SWEEP_MS`.
 */
const ALWAYS_SWEPT = 20_000;
const SWEEP_MS = 60_000;

/** Differences between the store and the index. */
export interface Changes {
  /** All folders of the store, sorted, with their stamps. */
  readonly folders: ReadonlyMap<string, Stamp>;
  /** Stamp of the folder of all reflections. */
  readonly root: Stamp;
  /** Folders in which something changed. */
  readonly touched: readonly string[];
  /** Folders that no longer exist. */
  readonly gone: readonly string[];
  /** When every file was last compared, ms since 1970. */
  readonly swept: number;
}

/**
 * True where `findChanges` would find no change and no sweep is to be recorded. This is the usual case, so it allocates
 * nothing per folder.
 */
export function isUntouched(repositoryRoot: string, state: IndexAt): boolean {
  const { indexed, now } = state;
  const place = ralphFolder(repositoryRoot).reflections();
  const isLarge = indexed.files > ALWAYS_SWEPT;
  if (isLarge && isSweepDue(state)) return false;
  if (!isStamp(indexed.root, 0, stampOf(place, now))) return false;
  if (isLarge && hasRecentLook(repositoryRoot, now)) return true;
  for (let index = 0; index < indexed.folders.length; index++) {
    if (!matchesStamp(indexed.stamps, index, { path: `${place}/${indexed.folders[index]!}`, now }))
      return false;
  }
  if (isLarge) recordLook(repositoryRoot, now);
  return isLarge || changedInPlace(place, state, new Set()).length === 0;
}

/** The index and the time at which the store is compared with it. */
export interface IndexAt {
  readonly database: DatabaseSync;
  readonly indexed: IndexedState;
  /** Ms since 1970. */
  readonly now: number;
}

/** Compares the store with the index. Throws where the store cannot be read. */
export async function findChanges(repositoryRoot: string, state: IndexAt): Promise<Changes> {
  const { indexed, now } = state;
  const place = ralphFolder(repositoryRoot).reflections();
  const root = stampOf(place, now);
  const names = isStamp(indexed.root, 0, root) ? indexed.folders : await loopFolders(repositoryRoot);
  const known = new Map(indexed.folders.map((name, index) => [name, index]));
  const folders = new Map(names.map((name) => [name, stampOf(`${place}/${name}`, now)]));
  const touched = names.filter((name) => {
    const at = known.get(name);
    return at === undefined || !isStamp(indexed.stamps, at, folders.get(name)!);
  });
  const isSwept = isSweepDue(state) || indexed.files <= ALWAYS_SWEPT;
  if (isSwept) touched.push(...changedInPlace(place, state, new Set(touched)));
  return {
    folders,
    root,
    touched,
    gone: indexed.folders.filter((name) => !folders.has(name)),
    swept: isSwept ? now : indexed.swept,
  };
}

function isSweepDue({ indexed, now }: IndexAt): boolean {
  return Math.abs(now - indexed.swept) > SWEEP_MS;
}

function changedInPlace(place: string, { database, now }: IndexAt, skip: ReadonlySet<string>): string[] {
  const touched: string[] = [];
  for (const { name, files, stamps } of indexedFolders(database)) {
    if (skip.has(name)) continue;
    const folder = `${place}/${name}`;
    const isSame = files.every((file, index) =>
      matchesStamp(stamps, index, { path: `${folder}/${file}`, now }),
    );
    if (!isSame) touched.push(name);
  }
  return touched;
}
