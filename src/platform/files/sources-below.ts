import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

const CODE = /\.[cm]?[jt]sx?$/;
/** What a package manager installs and what a build writes. */
const LEFT_OUT =
  /^(?:node_modules|dist|build|out|esm|cjs|umd|coverage|generated|__generated__|__snapshots__)$/;
const MAX_FILES = 5_000;

/** Sources below a folder, relative to it, tests too, but for installed, built and hidden ones. */
export function sourcesBelow(root: string): string[] {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined && found.length < MAX_FILES; folder = folders.pop())
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (entry.name.startsWith('.') || LEFT_OUT.test(entry.name)) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && CODE.test(path)) found.push(path);
    }
  return found;
}
