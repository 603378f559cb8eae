import { rmSync, rmdirSync, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const OUTPUT = /\.(d\.[cm]?ts(\.map)?|tsbuildinfo)$/;
const SKIPPED = new Set(['node_modules', '.git']);

/** Absolute paths of the declarations and build information files in a tree, without installed packages. */
export async function listOutputs(root: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) await visit(path);
      else if (OUTPUT.test(entry.name)) found.add(path);
    }
  };
  await visit(root);
  return found;
}

/** Removes the declarations and build information that a build added, and the folders that become empty. */
export function removeNewOutputs(
  root: string,
  emitted: readonly string[],
  before: ReadonlySet<string>,
): void {
  for (const file of emitted.map((path) => resolve(root, path))) {
    if (before.has(file) || !OUTPUT.test(file)) continue;
    rmSync(file, { force: true });
    removeEmptyFolders(dirname(file), root);
  }
}

function removeEmptyFolders(folder: string, root: string): void {
  if (folder === root || !folder.startsWith(root)) return;
  try {
    rmdirSync(folder);
  } catch {
    return;
  }
  removeEmptyFolders(dirname(folder), root);
}
