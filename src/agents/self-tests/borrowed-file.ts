import { mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { placeOf } from '../tools/paths.ts';

const MAX_NAMES = 50;

/**
 * Writes a file into the workspace for as long as `use` runs, below the wanted path or, where that is taken, one
 * like it; `use` gets the path relative to the root. Whatever happens, the file, its snapshots and the folders that
 * were made for it are gone afterwards. Throws an Error for a place outside of the workspace.
 */
export async function withFile<T>(
  { root, path, text }: { readonly root: string; readonly path: string; readonly text: string },
  use: (path: string) => Promise<T>,
): Promise<T> {
  const wanted = placeOf(path, 'write', { root, cwd: '.' }).path;
  const folder = dirname(join(root, wanted));
  const made = await mkdir(folder, { recursive: true });
  try {
    const taken = await writeFree(root, wanted, text);
    try {
      return await use(taken);
    } finally {
      await rm(join(root, taken), { force: true });
      await removeSnapshots(join(root, taken));
    }
  } finally {
    if (made !== undefined) await removeEmpty(folder, dirname(made));
  }
}

/** Writes under the first free name; returns its path. */
async function writeFree(root: string, wanted: string, text: string): Promise<string> {
  for (let number = 1; number <= MAX_NAMES; number++) {
    const path = number === 1 ? wanted : numbered(wanted, number);
    const isWritten = await writeFile(join(root, path), text, { flag: 'wx' }).then(
      () => true,
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      },
    );
    if (isWritten) return path;
  }
  throw new Error(`${wanted} and ${MAX_NAMES - 1} names like it are taken.`);
}

/** `a/ralph-self.test.ts` → `a/ralph-self-2.test.ts`. */
function numbered(path: string, number: number): string {
  const name = basename(path);
  const at = name.indexOf('.');
  const folder = path.slice(0, path.length - name.length);
  return at === -1 ? `${path}-${number}` : `${folder}${name.slice(0, at)}-${number}${name.slice(at)}`;
}

/** Where jest and vitest keep what a test compares with. */
async function removeSnapshots(file: string): Promise<void> {
  const folder = join(dirname(file), '__snapshots__');
  await rm(join(folder, `${basename(file)}.snap`), { force: true });
  await rmdir(folder).catch(() => {});
}

/** Removes a folder and those above it up to `end`, itself excluded, as far as they are empty. */
async function removeEmpty(folder: string, end: string): Promise<void> {
  for (let at = folder; at !== end; at = dirname(at)) {
    const isRemoved = await rmdir(at).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
