import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  chmod,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  type FileHandle,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import { processExists } from '../processes/process-exists.ts';
import { bytesBefore, failpoint } from './failpoint.ts';
import { unwritable } from './file-errors.ts';

const TEMPORARY = /^\..+\.(\d+)-[0-9a-f]{12}\.ralph-tmp$/;
/** An id of a process may have been given to another one by then. */
const ORPHANED_AFTER_MS = 3_600_000;
/** Error codes of file systems on which folders cannot be synced. */
export const FOLDER_SYNC_UNSUPPORTED = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR']);

/** Error codes of file systems without hard links. */
const LINK_UNSUPPORTED = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP']);

/** Temporary files that this process is writing. */
const inUse = new Set<string>();

/**
 * Replaces a file so that a crash, a full disk or a power cut leaves the old content or the new, never a part:
 * temporary file in the same folder → all bytes → size checked → fsync → rename → fsync of the folder. Creates the
 * folder if it is missing. The new file has the permission bits `mode`, or the system's default. Throws RalphError
 * `workspace_unwritable`; the old file then stays.
 */
export async function writeDurably(
  path: string,
  content: string | Uint8Array,
  { mode }: { readonly mode?: number } = {},
): Promise<void> {
  await put(path, content, async (temporary) => {
    if (mode !== undefined) await chmod(temporary, mode);
    await rename(temporary, path);
    return true;
  });
}

/** `writeDurably` for a new file. Returns false, and changes nothing, if something exists at `path`. */
export function createDurably(path: string, content: string | Uint8Array): Promise<boolean> {
  return put(path, content, (temporary) => moveWithoutReplacing(temporary, path));
}

/** `move` puts the temporary file into its place; false if it left the place as it was. */
async function put(
  path: string,
  content: string | Uint8Array,
  move: (temporary: string) => Promise<boolean>,
): Promise<boolean> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const temporary = temporaryFor(path);
  inUse.add(temporary);
  try {
    await makeFolder(dirname(path));
    await writeWhole(temporary, bytes, path);
    if (!(await move(temporary))) {
      await rm(temporary, { force: true });
      return false;
    }
    failpoint('write.renamed', path);
    await syncFolder(dirname(path));
    failpoint('write.done', path);
    return true;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw unwritable(path, error);
  } finally {
    inUse.delete(temporary);
  }
}

/**
 * Writes `text` after the first `keepBytes` bytes of a file and syncs it before the promise resolves. Returns the new
 * length of the file in bytes. An incomplete line after `keepBytes`, left by an interrupted append, is removed. Throws
 * RalphError `state_damaged` if another process has appended whole lines, `workspace_unwritable` if the disk refuses
 * the text; the file then ends at `keepBytes`.
 */
export async function appendDurably(path: string, text: string, keepBytes: number): Promise<number> {
  const bytes = Buffer.from(text);
  try {
    await makeFolder(dirname(path));
    const file = await open(path, constants.O_RDWR | constants.O_CREAT);
    try {
      failpoint('append.opened', path);
      await refuseForeignLines(file, path, keepBytes);
      await replaceTail(file, bytes, { path, keepBytes });
    } finally {
      await file.close();
    }
    if (keepBytes === 0) await syncFolder(dirname(path));
    failpoint('append.done', path);
  } catch (error) {
    throw error instanceof RalphError ? error : unwritable(path, error);
  }
  return keepBytes + bytes.length;
}

/**
 * Removes the temporary files in one folder that killed processes left; those of running processes stay. Returns the
 * removed names, none if the folder is missing. Never rejects.
 */
export async function sweepOrphans(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const removed: string[] = [];
  for (const name of names) {
    const path = join(folder, name);
    if (!(await isOrphan(path))) continue;
    await rm(path, { force: true }).catch(() => {});
    removed.push(name);
  }
  return removed;
}

/** True if the tail of an append-only file is an incomplete line left by a crash: without a line end, or NUL bytes. */
export function isTorn(tail: Uint8Array): boolean {
  const end = tail.indexOf(0x0a);
  return end === -1 || (tail.includes(0) && tail.subarray(end + 1).every((byte) => byte === 0));
}

/** By a hard link, because a rename would replace a file that another process has created meanwhile. */
async function moveWithoutReplacing(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
    await rm(temporary, { force: true });
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!LINK_UNSUPPORTED.has(code)) throw error;
    if ((await lstat(path).catch(() => undefined)) !== undefined) return false;
    await rename(temporary, path);
    return true;
  }
}

function temporaryFor(path: string): string {
  const random = randomBytes(6).toString('hex');
  return join(dirname(path), `.${basename(path)}.${process.pid}-${random}.ralph-tmp`);
}

async function writeWhole(temporary: string, bytes: Uint8Array, path: string): Promise<void> {
  const file = await open(temporary, 'wx');
  try {
    failpoint('write.opened', path);
    const half = bytesBefore('write.half', bytes.length);
    await writeAll(file, bytes.subarray(0, half), 0);
    failpoint('write.half', path);
    await writeAll(file, bytes.subarray(half), half);
    failpoint('write.written', path);
    const { size } = await file.stat();
    if (size !== bytes.length) throw new Error(`only ${size} of ${bytes.length} bytes were written`);
    await file.sync();
    failpoint('write.synced', path);
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten === 0) throw new Error(`only ${done} of ${bytes.length} bytes were written`);
    done += bytesWritten;
  }
}

async function replaceTail(
  file: FileHandle,
  bytes: Uint8Array,
  { path, keepBytes }: { readonly path: string; readonly keepBytes: number },
): Promise<void> {
  try {
    await file.truncate(keepBytes);
    const half = bytesBefore('append.half', bytes.length);
    await writeAll(file, bytes.subarray(0, half), keepBytes);
    failpoint('append.half', path);
    await writeAll(file, bytes.subarray(half), keepBytes + half);
    failpoint('append.written', path);
    await file.sync();
  } catch (error) {
    await file.truncate(keepBytes).catch(() => {});
    throw error;
  }
}

async function refuseForeignLines(file: FileHandle, path: string, keepBytes: number): Promise<void> {
  const { size } = await file.stat();
  const tail = Buffer.alloc(Math.max(0, size - keepBytes));
  await file.read(tail, 0, tail.length, keepBytes);
  if (size >= keepBytes && (tail.length === 0 || isTorn(tail))) return;
  throw new RalphError(`${path} was changed by another process while this one was writing it.`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: 'Stop the other process, then run: ralph resume',
  });
}

async function isOrphan(path: string): Promise<boolean> {
  const pid = TEMPORARY.exec(basename(path))?.[1];
  if (pid === undefined || inUse.has(path)) return false;
  if (Number(pid) === process.pid || !processExists(Number(pid))) return true;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > ORPHANED_AFTER_MS;
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!FOLDER_SYNC_UNSUPPORTED.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle.close();
  }
}
