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
import type { TreeId } from '../../ports.ts';
import { git } from '../../platform/git/git.ts';

/**
 * Keeps a tree under a ref of a loop in ralph's own git directory, so that no gc ever takes it; on the disk before
 * the promise resolves. The file is written as git writes it, without a process for it; git is asked where that
 * does not do. Throws RalphError where git fails too.
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
    if (writeSync(file, text) !== text.length) throw new Error('only a part was written');
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
