import { ralphFolder } from '../../platform/ralph-folder.ts';
import { loopFolders } from '../episodes/reflection-files.ts';
import type { DatabaseSync } from './database.ts';
import { noteLook, wasLookedAt } from './looked.ts';
import { seenFolders, type Seen } from './seen.ts';
import { fitsStamp, isStamp, stampOf, type Stamp } from './stamp.ts';

/**
 * A store of up to so many files is looked at file by file for every query. In a larger one that would take longer
 * than all the rest. There, what ralph writes shows in the folder of all reflections, and so does every new loop; all
 * loops' folders are looked at once in some seconds, which shows every file that was added, removed or replaced, as
 * git and most editors do it; what was changed in place is looked for at most once in `SWEEP_MS`.
 */
const ALWAYS_SWEPT = 20_000;
const SWEEP_MS = 60_000;

/** What the index must catch up with. */
export interface Changes {
  /** Every folder that is there now, sorted, with its stamp. */
  readonly folders: ReadonlyMap<string, Stamp>;
  readonly root: Stamp;
  /** Folders in which something is not as it was. */
  readonly touched: readonly string[];
  /** Folders that are no more. */
  readonly gone: readonly string[];
  /** When every file was last looked at, ms since 1970. */
  readonly swept: number;
}

/**
 * True where nothing has changed, as far as `findChanges` would look, and nothing is worth a note: the answer for
 * nearly every query, and so without a list or an object for each of many thousand folders.
 */
export function isUntouched(repositoryRoot: string, state: State): boolean {
  const { seen, now } = state;
  const place = ralphFolder(repositoryRoot).reflections();
  const isLarge = seen.files > ALWAYS_SWEPT;
  if (isLarge && isSweepDue(state)) return false;
  if (!isStamp(seen.root, 0, stampOf(place, now))) return false;
  if (isLarge && wasLookedAt(repositoryRoot, now)) return true;
  for (let index = 0; index < seen.folders.length; index++) {
    if (!fitsStamp(seen.stamps, index, { path: `${place}/${seen.folders[index]!}`, now })) return false;
  }
  if (isLarge) noteLook(repositoryRoot, now);
  return isLarge || changedInPlace(place, state, new Set()).length === 0;
}

export interface State {
  readonly database: DatabaseSync;
  readonly seen: Seen;
  /** Ms since 1970. */
  readonly now: number;
}

/** Compares the store with what the index has seen of it. Throws where it cannot be read. */
export async function findChanges(repositoryRoot: string, state: State): Promise<Changes> {
  const { seen, now } = state;
  const place = ralphFolder(repositoryRoot).reflections();
  const root = stampOf(place, now);
  const names = isStamp(seen.root, 0, root) ? seen.folders : await loopFolders(repositoryRoot);
  const known = new Map(seen.folders.map((name, index) => [name, index]));
  const folders = new Map(names.map((name) => [name, stampOf(`${place}/${name}`, now)]));
  const touched = names.filter((name) => {
    const at = known.get(name);
    return at === undefined || !isStamp(seen.stamps, at, folders.get(name)!);
  });
  const isSwept = isSweepDue(state) || seen.files <= ALWAYS_SWEPT;
  if (isSwept) touched.push(...changedInPlace(place, state, new Set(touched)));
  return {
    ...{ folders, root, touched },
    gone: seen.folders.filter((name) => !folders.has(name)),
    swept: isSwept ? now : seen.swept,
  };
}

function isSweepDue({ seen, now }: State): boolean {
  return Math.abs(now - seen.swept) > SWEEP_MS;
}

function changedInPlace(place: string, { database, now }: State, skip: ReadonlySet<string>): string[] {
  const touched: string[] = [];
  for (const { name, files, stamps } of seenFolders(database)) {
    if (skip.has(name)) continue;
    const folder = `${place}/${name}`;
    const isSame = files.every((file, index) => fitsStamp(stamps, index, { path: `${folder}/${file}`, now }));
    if (!isSame) touched.push(name);
  }
  return touched;
}
