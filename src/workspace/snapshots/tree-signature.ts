import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Beyond, git looks faster than we do. */
const MOST_ENTRIES = 400;
/** A change this soon after the last one may leave the time of change as it was: kernels count in ticks of up to 10 ms. */
const SETTLED_MS = 50;
const LEFT_OUT = 'node_modules';

/**
 * What the file system says of every file of a small tree, `node_modules` and `leftOut` aside, as one text: path, size, mode, inode,
 * and the times of change, of which a program cannot set the inner one. Two that are equal are of trees with the same
 * contents. Undefined where that would not be certain: many files, one that changed just now, one that cannot be
 * looked at, a repository in the tree.
 */
export function treeSignature(
  root: string,
  { leftOut = [], now = Date.now() }: SignatureOptions = {},
): string | undefined {
  const lines: string[] = [];
  const look = { lines, latestMs: now - SETTLED_MS, leftOut: new Set(leftOut) };
  try {
    return isSettled(root, '', look) ? lines.join('\n') : undefined;
  } catch {
    return undefined;
  }
}

export interface SignatureOptions {
  /** What is not looked at, relative to the root. */
  readonly leftOut?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now?: number;
}

interface Look {
  readonly leftOut: ReadonlySet<string>;
  readonly lines: string[];
  readonly latestMs: number;
}

function isSettled(root: string, folder: string, look: Look): boolean {
  for (const { name } of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, name);
    if (name === LEFT_OUT || look.leftOut.has(path)) continue;
    if (name === '.git') return false;
    const entry = lstatSync(join(root, path), { bigint: true });
    if (look.lines.length === MOST_ENTRIES || Number(entry.ctimeMs) > look.latestMs) return false;
    const { size, mode, ino, mtimeNs, ctimeNs } = entry;
    if (!entry.isDirectory()) look.lines.push([path, size, mode, ino, mtimeNs, ctimeNs].join(' '));
    else if (!isSettled(root, path, look)) return false;
  }
  return true;
}
