import { closeSync, openSync, statSync, utimesSync } from 'node:fs';
import { ralphFolder } from '../../platform/ralph-folder.ts';

/** When every folder of a large store was last looked at: the time of this file. A note in the index would be a write. */
const LOOKED_SUFFIX = '-looked';
const LOOK_MS = 10_000;

/** True where somebody looked at every folder in the last seconds. `now`: ms since 1970. */
export function wasLookedAt(repositoryRoot: string, now: number): boolean {
  const found = statSync(ralphFolder(repositoryRoot).index(LOOKED_SUFFIX), { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs <= now && now - found.mtimeMs < LOOK_MS;
}

/** Notes that every folder was looked at and was as the index has it. Never throws: then it is looked at again. */
export function noteLook(repositoryRoot: string, now: number): void {
  try {
    const path = ralphFolder(repositoryRoot).index(LOOKED_SUFFIX);
    closeSync(openSync(path, 'a'));
    utimesSync(path, now / 1000, now / 1000);
  } catch {
    // Nothing may be written here.
  }
}

/** Says that a reflection was written, which a folder that was there before does not show to who looks at the store. */
export function announceReflection(repositoryRoot: string): void {
  const now = new Date();
  try {
    utimesSync(ralphFolder(repositoryRoot).reflections(), now, now);
  } catch {
    // It is found all the same, some seconds later.
  }
}
