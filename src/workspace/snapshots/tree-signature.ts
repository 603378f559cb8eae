import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** With more entries, git is faster, where its modules are loaded anyway. */
const MOST_ENTRIES = 400;
/** Two changes within this time may have the same ctime, because kernels count in ticks of up to 10 ms. */
const SETTLED_MS = 50;
const LEFT_OUT = 'node_modules';

/**
 * One text with the path, size, mode, inode, mtime and ctime of every file in a small tree, without `node_modules`,
 * the root's `.git` and `leftOut`. Equal signatures mean equal contents, because a program cannot set the ctime. Undefined if that is not
 * certain: for many files, a file that changed just now, an unreadable file, or a repository in the tree.
 */
export function treeSignature(
  root: string,
  { leftOut = [], now = Date.now(), mostEntries = MOST_ENTRIES }: SignatureOptions = {},
): string | undefined {
  const lines: string[] = [];
  const look = { lines, latestMs: now - SETTLED_MS, leftOut: new Set(leftOut), mostEntries };
  try {
    return isSettled(root, '', look) ? lines.join('\n') : undefined;
  } catch {
    return undefined;
  }
}

export interface SignatureOptions {
  /** Paths to skip, relative to the root. */
  readonly leftOut?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now?: number;
  /** Undefined is returned for a tree with more files. Default 400. */
  readonly mostEntries?: number;
}

interface Look {
  readonly leftOut: ReadonlySet<string>;
  readonly lines: string[];
  readonly latestMs: number;
  readonly mostEntries: number;
}

function isSettled(root: string, folder: string, look: Look): boolean {
  for (const { name } of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, name);
    if (name === LEFT_OUT || look.leftOut.has(path)) continue;
    if (name === '.git' && folder === '') continue;
    if (name === '.git') return false;
    const entry = lstatSync(join(root, path), { bigint: true });
    if (look.lines.length === look.mostEntries || Number(entry.ctimeMs) > look.latestMs) return false;
    const { size, mode, ino, mtimeNs, ctimeNs } = entry;
    const target = entry.isSymbolicLink() ? targetOf(join(root, path)) : [];
    if (!entry.isDirectory()) look.lines.push([path, size, mode, ino, mtimeNs, ctimeNs, ...target].join(' '));
    else if (!isSettled(root, path, look)) return false;
  }
  return true;
}

/** Size and times of the file that a symbolic link leads to; checks may read it as a file of the tree. */
function targetOf(path: string): readonly bigint[] {
  const target = statSync(path, { bigint: true, throwIfNoEntry: false });
  return target === undefined ? [] : [target.size, target.ino, target.mtimeNs, target.ctimeNs];
}
