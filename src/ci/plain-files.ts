import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Limits of one copy; whatever is beyond them is left out. */
export interface CopyLimits {
  /** True for the names that are copied; default: all. */
  readonly accepts?: (name: string) => boolean;
  /** Bytes of all files together. */
  readonly maxBytes?: number;
}

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 4000;
const MAX_DEPTH = 9;

/**
 * Content of a plain file of at most `maxBytes`; undefined for anything else: a link, a fifo and a device are never
 * followed or opened for reading. Never rejects.
 */
export async function readPlainFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  // A fifo without O_NONBLOCK would wait for a writer for ever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= maxBytes ? await file.readFile() : undefined;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/**
 * Copies the plain files and folders of a folder: contents, not modes. Links, fifos, sockets and devices are left out, as
 * is a folder that is a link itself, and whatever is beyond 4,000 files, 9 levels, 16 MiB a file or `maxBytes` (64 MiB).
 */
export async function copyPlainFiles(from: string, to: string, limits: CopyLimits = {}): Promise<void> {
  await copyFolder(from, to, {
    ...limits,
    left: { files: MAX_FILES, bytes: limits.maxBytes ?? MAX_TOTAL_BYTES },
  });
}

type Copy = CopyLimits & { readonly left: { files: number; bytes: number } };

async function copyFolder(from: string, to: string, copy: Copy, depth = 0): Promise<void> {
  if (depth > MAX_DEPTH || !(await isPlainFolder(from))) return;
  const entries = await readdir(from, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (copy.accepts?.(entry.name) === false) continue;
    if (entry.isDirectory()) await copyFolder(source, target, copy, depth + 1);
    else if (entry.isFile() && copy.left.files > 0) {
      const content = await readPlainFile(source, Math.min(MAX_FILE_BYTES, copy.left.bytes));
      if (content === undefined) continue;
      copy.left.files -= 1;
      copy.left.bytes -= content.length;
      await mkdir(to, { recursive: true });
      await writeFile(target, content);
    }
  }
}

/** Removes everything in a folder that is neither a plain file nor a folder; links are removed, not what they lead to. */
export async function removeUnplain(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeUnplain(path);
    else if (!entry.isFile()) await rm(path, { force: true });
  }
}

async function isPlainFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}
