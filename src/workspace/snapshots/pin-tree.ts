import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { TreeId } from '../../ports/tree.ts';
import { git } from '../../platform/git/git.ts';

/**
 * Creates a ref to a tree in ralph's git directory, so that gc keeps the tree; it is on the disk before the promise
 * resolves. The ref file is written directly, which is faster than a git process; git is the fallback. Throws RalphError
 * if git fails too.
 */
export async function pinTree(gitDir: string, loopId: string, tree: TreeId): Promise<void> {
  const ref = `refs/ralph/${loopId}/${tree}`;
  if (!existsSync(join(gitDir, 'reftable')) && writeRef(join(gitDir, ref), tree)) return;
  await git(['update-ref', ref, tree], { cwd: gitDir, gitDir });
}

function writeRef(path: string, tree: TreeId): boolean {
  const lock = `${path}.lock`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeSynced(lock, `${tree}\n`);
    renameSync(lock, path);
    return true;
  } catch {
    rmSync(lock, { force: true });
    return false;
  }
}

function writeSynced(path: string, text: string): void {
  const file = openSync(path, 'w');
  try {
    if (writeSync(file, text) !== text.length) throw new Error('the write was incomplete');
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
