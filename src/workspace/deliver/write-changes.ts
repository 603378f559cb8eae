import { constants } from 'node:fs';
import { access, chmod, lstat, mkdir, open, rename, rm, rmdir, symlink, unlink } from 'node:fs/promises';
import { ExitCode, RalphError, messageOf } from '../../errors.ts';
import { failpoint } from '../../platform/files/failpoint.ts';
import { absolute, entryAt, inverse, isSameEntry } from '../snapshots/file-entry.ts';
import { statOf } from '../../platform/files/real-paths.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import { SYMBOLIC_LINK, type EntryChange } from '../snapshots/tree-changes.ts';

/**
 * Writes changes into the user's tree. Each file is written beside its target, synced and renamed, so that readers never
 * see a part of it. Permissions of existing files stay, except the executable bit; empty folders are removed. Throws
 * RalphError `workspace_unwritable` before any change if a folder is not writable, and after undoing all changes if a
 * write fails.
 */
export async function writeChanges(
  root: string,
  changes: readonly EntryChange[],
  snapshots: Snapshots,
): Promise<void> {
  const ids = changes.flatMap(({ before, after }) => [before, after].flatMap((entry) => entry?.id ?? []));
  const contents = await snapshots.readBlobs(ids);
  const done: EntryChange[] = [];
  try {
    for (const { path } of changes) await access(nearestFolder(absolute(root, path)), WRITABLE);
    for (const change of inOrder(changes)) {
      done.push(change);
      await writeOne(root, change, contents);
    }
  } catch (cause) {
    for (const change of inOrder(done.map(inverse))) await writeOne(root, change, contents).catch(() => {});
    throw new RalphError(`The result could not be written into ${root}: ${messageOf(cause)}`, {
      code: 'workspace_unwritable',
      exitCode: ExitCode.workspace,
      hint: 'Every change was undone. Check permissions and free disk space.',
      cause,
    });
  }
}

const WRITABLE = constants.W_OK | constants.X_OK;

/** The nearest existing folder above a path. */
function nearestFolder(path: Buffer): Buffer {
  const folder = folderOf(path);
  return folder.length === 0 || statOf(folder)?.isDirectory() ? folder : nearestFolder(folder);
}

/** Removes temporary files that a killed process left beside its targets. */
export async function removeLeftovers(root: string, changes: readonly EntryChange[]): Promise<void> {
  for (const { path } of changes)
    await rm(temporaryFor(absolute(root, path)), { force: true }).catch(ignoreMissing);
}

/** Deletions first, by depth, because a folder may become a file or a file a folder. */
function inOrder(changes: readonly EntryChange[]): EntryChange[] {
  const deletions = changes.filter(({ after }) => after === undefined);
  const writes = changes.filter(({ after }) => after !== undefined);
  return [...deletions.sort((a, b) => b.path.length - a.path.length), ...writes];
}

async function writeOne(
  root: string,
  { path, after }: EntryChange,
  contents: ReadonlyMap<string, Buffer>,
): Promise<void> {
  if (after === undefined) return remove(root, path);
  if (isSameEntry(entryAt(root, path), after)) return;
  const target = absolute(root, path);
  const temporary = temporaryFor(target);
  await mkdir(folderOf(target), { recursive: true });
  await rm(temporary, { force: true });
  const content = contents.get(after.id)!;
  try {
    if (after.mode === SYMBOLIC_LINK) await symlink(content, temporary);
    else await writeFile(temporary, content, await modeFor(target, after.mode));
    failpoint('delivery.beside', target);
    await rename(temporary, target);
    failpoint('delivery.replaced', target);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeFile(path: Buffer, content: Buffer, mode: FileMode): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode.created);
  try {
    await file.writeFile(content);
    if (mode.kept !== undefined) await chmod(path, mode.kept);
    await file.sync();
  } finally {
    await file.close();
  }
}

interface FileMode {
  /** Mode of a new file, before the umask. */
  readonly created: number;
  /** Mode that an existing file keeps. */
  readonly kept?: number;
}

async function modeFor(target: Buffer, treeMode: string): Promise<FileMode> {
  const isExecutable = treeMode === '100755';
  const created = isExecutable ? 0o777 : 0o666;
  const found = await lstat(target).catch(() => undefined);
  if (!found?.isFile()) return { created };
  const permissions = found.mode & 0o777;
  if (!isExecutable) return { created, kept: permissions & ~0o111 };
  return { created, kept: permissions | ((permissions & 0o444) >> 2) };
}

async function remove(root: string, path: Buffer): Promise<void> {
  const target = absolute(root, path);
  if (statOf(target)?.isDirectory()) return;
  await unlink(target).catch(ignoreMissing);
  for (let folder = folderOf(target); folder.length > Buffer.byteLength(root); folder = folderOf(folder)) {
    const isEmptied = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isEmptied) return;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

/** One fixed name per folder, so that another process can find and remove it. */
function temporaryFor(target: Buffer): Buffer {
  return Buffer.concat([folderOf(target), Buffer.from('/.ralph-delivery.tmp')]);
}

function folderOf(path: Buffer): Buffer {
  return path.subarray(0, path.lastIndexOf(0x2f));
}
