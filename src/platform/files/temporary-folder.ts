import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onExit } from 'signal-exit';
import { ownUserId } from '../processes/own-user.ts';
import { processExists } from '../processes/process-exists.ts';

/** Folders that this process has made and not removed. */
const made = new Set<string>();
/** Kinds whose orphans have been removed, each with the folder in which they were looked for. */
const swept = new Set<string>();
/** Kinds that commands make: orphans of all of them are removed, whichever kind comes first. */
const KINDS_OF_COMMANDS = [
  'bench',
  'calls',
  'doctor',
  'eslint',
  'filter',
  'git',
  'judge',
  'members',
  'observe',
  'prompt',
  'remote',
  'sandbox',
  'strength',
  'trials',
  'types',
];
let isRemovedAtExit = false;

/**
 * Makes a folder `ralph-<kind>-<pid>-XXXXXX`, accessible by this user alone, and returns its absolute real path. `kind`
 * consists of lower-case letters and hyphens; `place` is an existing folder.
 *
 * Nothing is left behind: the folder is removed when this process exits or is ended by SIGINT, SIGTERM or SIGHUP, unless
 * the program itself handles the signal and goes on. The first call with a kind also removes the folders of killed
 * processes that belong to this user, of this kind and of every kind that commands make. Processes that share a temporary
 * folder must see each other's process ids.
 *
 * Throws if the folder cannot be made.
 */
export function makeTemporaryFolder(kind: string, place = tmpdir()): string {
  const parent = realpathSync(place);
  removeOrphans(parent, kind);
  if (!isRemovedAtExit) onExit(removeAll);
  isRemovedAtExit = true;
  const folder = mkdtempSync(join(parent, `ralph-${kind}-${process.pid}-`));
  made.add(folder);
  return folder;
}

/** Removes the folders of killed processes that belong to this user, of every kind that commands make. */
export function removeOrphanedFolders(place = tmpdir()): void {
  removeOrphans(realpathSync(place), KINDS_OF_COMMANDS[0]!);
}

/** Removes a folder made by `makeTemporaryFolder` with all that is in it. Throws if something cannot be removed. */
export function removeTemporaryFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  made.delete(folder);
}

function removeOrphans(parent: string, kind: string): void {
  const key = join(parent, kind);
  if (swept.has(key)) return;
  swept.add(key);
  const pattern = new RegExp(`^ralph-(?:${[kind, ...KINDS_OF_COMMANDS].join('|')})-(\\d+)-\\w{6}$`);
  for (const name of readdirSync(parent)) {
    const pid = pattern.exec(name)?.[1];
    if (pid === undefined || processExists(Number(pid))) continue;
    const path = join(parent, name);
    if (isOwnFolder(path)) tryToRemove(path);
  }
}

function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === ownUserId();
}

function removeAll(): void {
  for (const folder of made) tryToRemove(folder);
}

/** A folder that cannot be removed must not stop the program, nor change how it ends. */
function tryToRemove(folder: string): void {
  try {
    removeTemporaryFolder(folder);
  } catch {
    // The next process tries again.
  }
}
