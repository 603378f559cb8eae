import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { git } from '../../fix-commits/fix-commits-in.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { readSources } from '../../../src/repair/habits/read-habits.ts';
import type { HabitSource } from '../../../src/repair/habits/habits.ts';

const CODE = /\.[cm]?[jt]sx?$/gm;

/** The sources of a clone at a revision, as a search in that tree reads them. */
export function sourcesAt(clone: string, revision: string): HabitSource[] {
  const folder = makeTemporaryFolder('bench-tree');
  try {
    const tree = join(folder, 'tree');
    mkdirSync(tree);
    const archive = join(folder, 'tree.tar');
    // A clone may lack large files that are no code.
    const codeOf = [...new Set(git(clone, ['ls-tree', '-r', '--name-only', revision]).match(CODE))];
    if (codeOf.length === 0) return [];
    git(clone, ['archive', `--output=${archive}`, revision, '--', ...codeOf.map((ending) => `*${ending}`)]);
    execaSync('tar', ['-xf', archive, '-C', tree]);
    return readSources(tree);
  } finally {
    removeTemporaryFolder(folder);
  }
}
