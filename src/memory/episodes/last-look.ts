import { closeSync, openSync, statSync, utimesSync } from 'node:fs';
import { ralphFolder } from '../../platform/ralph-folder.ts';

/**
 * Its modification time is when all folders of a large store were last compared with the index. A time inside the index
 * would make every search write to it.
 */
const LAST_LOOK_SUFFIX = '-looked';
const VALID_MS = 10_000;

/** True where all folders were compared within the last ten seconds. `now`: ms since 1970. */
export function hasRecentLook(repositoryRoot: string, now: number): boolean {
  const found = statSync(ralphFolder(repositoryRoot).index(LAST_LOOK_SUFFIX), { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs <= now && now - found.mtimeMs < VALID_MS;
}

/** Records that all folders were compared at `now` and match the index. Never throws. */
export function recordLook(repositoryRoot: string, now: number): void {
  try {
    const path = ralphFolder(repositoryRoot).index(LAST_LOOK_SUFFIX);
    closeSync(openSync(path, 'a'));
    utimesSync(path, now / 1000, now / 1000);
  } catch {
    // Without write access, the next search compares the folders again.
  }
}

/**
 * Touches the folder of all reflections after one was written: a search notices that at once, while a change in a
 * loop's existing folder alone may go unnoticed for some seconds. Never throws.
 */
export function markReflectionsChanged(repositoryRoot: string): void {
  const now = new Date();
  try {
    utimesSync(ralphFolder(repositoryRoot).reflections(), now, now);
  } catch {
    // A later search finds the reflection all the same.
  }
}
