import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../src/platform/files/temporary-folder.ts';
import { packageFile } from '../../src/platform/package-files.ts';
import { git } from './git.ts';

/** Runs with a tree of a repository in a folder of its own, `root`, with the installed packages; `folder` is around it. */
export function withCheckout<Result>(
  repository: string,
  tree: string,
  run: (place: { readonly root: string; readonly folder: string }) => Result,
): Result {
  const folder = makeTemporaryFolder('referee');
  try {
    const root = join(folder, 'tree');
    mkdirSync(root);
    git(repository, [`--work-tree=${root}`, 'checkout', '--force', tree, '--', '.'], {
      GIT_INDEX_FILE: join(folder, 'index'),
    });
    symlinkSync(packageFile('node_modules'), join(root, 'node_modules'));
    return run({ root, folder });
  } finally {
    removeTemporaryFolder(folder);
  }
}
