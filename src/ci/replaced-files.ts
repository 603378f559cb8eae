import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { ensureRalphFolder, ralphFolder } from '../platform/ralph-folder.ts';

/** Files of a checkout that are replaced for a while. */
export interface ReplacedFiles {
  /**
   * Writes or, without content, removes a file. A link in its place is replaced, not followed. Returns a sentence, and
   * changes nothing, if a folder on the way to it is a link or a file, or a folder is in its place.
   */
  put(path: string, content: Buffer | undefined, isExecutable: boolean): Promise<string | undefined>;
  /** Puts everything back. */
  restore(): Promise<void>;
}

type Saved =
  | { readonly content: Buffer; readonly mode: number }
  | { readonly target: string }
  | { readonly aside: string }
  | undefined;

/**
 * Replaces files below `root`; paths are relative to it. What is removed is moved aside, because a program may be writing it:
 * in `ralph ci verify > verify.txt` it is the output of this process.
 */
export function createReplacedFiles(root: string): ReplacedFiles {
  const saved = new Map<string, Saved>();
  return {
    async put(path, content, isExecutable) {
      const file = join(root, path);
      const problem = await problemOnTheWay(root, path);
      if (problem !== undefined) return problem;
      if (!saved.has(path)) {
        const aside = content === undefined ? await moveAside(root, file, saved.size) : undefined;
        saved.set(path, aside ?? (await save(file)));
      }
      await rm(file, { force: true });
      if (content === undefined) return undefined;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content, { mode: isExecutable ? 0o755 : 0o644, flag: 'wx' });
      return undefined;
    },
    async restore() {
      for (const [path, before] of saved) {
        const file = join(root, path);
        await rm(file, { force: true });
        if (before === undefined) await removeEmpty(root, posix.dirname(path));
        else await bringBack(file, before);
      }
      saved.clear();
      await rmdir(asideIn(root)).catch(() => undefined);
    },
  };
}

async function problemOnTheWay(root: string, path: string): Promise<string | undefined> {
  const parts = path.split('/');
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = parts.slice(0, depth).join('/');
    const found = await lstat(join(root, part)).catch(() => undefined);
    if (found === undefined) return undefined;
    const isFolder = found.isDirectory();
    if (depth < parts.length && !isFolder)
      return `${part} is a folder on the default branch and none on this one, so that ${path} cannot be put there.`;
    if (depth === parts.length && isFolder)
      return `${path} is a file on the default branch and a folder on this one.`;
  }
  return undefined;
}

function asideIn(root: string): string {
  return ralphFolder(root).aside();
}

/** Undefined for what is no plain file, or cannot be moved. */
async function moveAside(root: string, file: string, number: number): Promise<Saved> {
  const found = await lstat(file).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  ensureRalphFolder(root);
  const folder = asideIn(root);
  const aside = join(folder, String(number));
  try {
    await mkdir(folder, { recursive: true });
    await rename(file, aside);
    return { aside };
  } catch {
    return undefined;
  }
}

async function save(file: string): Promise<Saved> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return { target: await readlink(file) };
  return { content: await readFile(file), mode: found.mode };
}

async function bringBack(file: string, before: NonNullable<Saved>): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  if ('target' in before) return symlink(before.target, file);
  if ('aside' in before) return rename(before.aside, file);
  await writeFile(file, before.content);
  await chmod(file, before.mode);
}

/** Removes the folders that held nothing else. */
async function removeEmpty(root: string, folder: string): Promise<void> {
  if (folder === '.') return;
  const isRemoved = await rmdir(join(root, folder)).then(
    () => true,
    () => false,
  );
  if (isRemoved) await removeEmpty(root, posix.dirname(folder));
}
