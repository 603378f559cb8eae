import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../platform/git/git.ts';
import type { TreeId } from '../../ports/tree.ts';

/**
 * Removes the refs that `pinTree` created in ralph's git directory, an absolute path, for loops whose ids are released, except
 * those of `kept`. The objects stay until `pruneObjects`.
 */
export async function unpinTrees(
  gitDir: string,
  isReleased: (loopId: string) => boolean,
  kept: ReadonlySet<TreeId>,
): Promise<void> {
  const listed = await git(['for-each-ref', '--format=%(refname)', 'refs/ralph'], { cwd: gitDir, gitDir });
  const gone = listed
    .toString('utf8')
    .split('\n')
    .filter((name) => name !== '' && isReleased(name.split('/')[2]!) && !kept.has(name.split('/').at(-1)!));
  if (gone.length === 0) return;
  await git(['update-ref', '--stdin'], {
    cwd: gitDir,
    gitDir,
    input: gone.map((name) => `delete ${name}\n`).join(''),
  });
}

/**
 * Removes loose objects that no pinned tree contains. No loop may run. The indexes of work trees are removed as well, because
 * they may name such objects; the next snapshot makes them anew.
 */
export async function pruneObjects(gitDir: string): Promise<void> {
  for (const name of readdirSync(gitDir))
    if (name.startsWith('index-')) rmSync(join(gitDir, name), { force: true });
  await git(['prune', '--expire=now'], { cwd: gitDir, gitDir });
}
