import { mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { placeOf } from '../tools/paths.ts';

const MAX_NAMES = 50;

/**
 * Writes a file into the workspace while `use` runs, at the given path or, if that exists, with a number added; `use`
 * gets the path relative to the root. The file, its snapshots and the folders created for it are removed afterwards,
 * even if `use` rejects. Rejects with an Error for a path outside of the workspace.
 */
export async function withTemporaryFile<T>(
  { root, path, text }: { readonly root: string; readonly path: string; readonly text: string },
  use: (path: string) => Promise<T>,
): Promise<T> {
  const wanted = placeOf(path, 'write', { root, cwd: '.' }).path;
  const folder = dirname(join(root, wanted));
  const created = await mkdir(folder, { recursive: true });
  try {
    const written = await writeNewFile(root, wanted, text);
    try {
      return await use(written);
    } finally {
      await rm(join(root, written), { force: true });
      await removeSnapshots(join(root, written));
    }
  } finally {
    if (created !== undefined) await removeEmpty(folder, dirname(created));
  }
}

/** Writes the file under the first name that does not exist; returns its path. */
async function writeNewFile(root: string, wanted: string, text: string): Promise<string> {
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
  throw new Error(`${wanted} and ${MAX_NAMES - 1} numbered names exist already.`);
}

/** `a/ralph-self.test.ts` → `a/ralph-self-2.test.ts`. */
function numbered(path: string, number: number): string {
  const name = basename(path);
  const at = name.indexOf('.');
  const folder = path.slice(0, path.length - name.length);
  return at === -1 ? `${path}-${number}` : `${folder}${name.slice(0, at)}-${number}${name.slice(at)}`;
}

/** Removes the snapshot file that jest and vitest write for a test file. */
async function removeSnapshots(file: string): Promise<void> {
  const folder = join(dirname(file), '__snapshots__');
  await rm(join(folder, `${basename(file)}.snap`), { force: true });
  await rmdir(folder).catch(() => {});
}

/** Removes empty folders from `folder` upwards, not including `end`. */
async function removeEmpty(folder: string, end: string): Promise<void> {
  for (let at = folder; at !== end; at = dirname(at)) {
    const isRemoved = await rmdir(at).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
