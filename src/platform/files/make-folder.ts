import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it, with mode 0700. True if it was made, false if it was there. Throws the error of the
 * system. The recursive call of Node.js never returns where a file system refuses a new folder with ENOENT, as /proc does.
 */
export function makeFolder(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    // Another process was faster.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false;
    throw error;
  }
}
