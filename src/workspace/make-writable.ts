import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes every folder of a tree readable and writable for its owner, so that files in folders that an attempt made
 * read-only can be removed. Links are not followed. Never throws.
 */
export function makeFoldersWritable(folder: string): void {
  try {
    chmodSync(folder, lstatSync(folder).mode | 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) makeFoldersWritable(join(folder, entry.name));
    }
  } catch {
    // The folder belongs to another user; the operation that needs it reports the error.
  }
}
