import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives the owner back the right to read and write every folder of a tree: what an attempt locked could
 * otherwise never be removed. Dependencies, which are links, are not followed. Never throws.
 */
export function makeFoldersWritable(folder: string): void {
  try {
    chmodSync(folder, lstatSync(folder).mode | 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) makeFoldersWritable(join(folder, entry.name));
    }
  } catch {
    // Not ours to change: what comes next says so in its own words.
  }
}
