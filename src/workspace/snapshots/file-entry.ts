import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { statOf } from '../../platform/files/real-paths.ts';
import { SYMBOLIC_LINK, type EntryChange, type TreeEntry } from './tree-changes.ts';

/** The tree entry for the file or symbolic link at a path; undefined if there is neither. */
export function entryAt(root: string, path: Buffer): TreeEntry | undefined {
  const at = absolute(root, path);
  const found = statOf(at);
  if (found?.isSymbolicLink()) {
    return { mode: SYMBOLIC_LINK, id: blobId(readlinkSync(at, { encoding: 'buffer' })) };
  }
  if (!found?.isFile()) return undefined;
  return { mode: (found.mode & 0o100) === 0 ? '100644' : '100755', id: blobId(readFileSync(at)) };
}

/** True if both are absent, or have the same mode and content. */
export function isSameEntry(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a?.mode === b?.mode && a?.id === b?.id;
}

/** The absolute path of a tree's path, as bytes, because it need not be valid UTF-8. */
export function absolute(root: string, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), path]);
}

/** The change that undoes a change. */
export function inverse({ path, before, after }: EntryChange): EntryChange {
  return { path, before: after, after: before };
}

/** Object id of a file's content in a SHA-1 repository (git-hash-object(1)). */
function blobId(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}
