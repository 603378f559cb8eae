import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../platform/git/git.ts';
import type { TreeId } from '../../ports/tree.ts';

/** Ids of loops whose trees are pinned in ralph's git directory, an absolute path. */
export async function pinnedLoops(gitDir: string): Promise<string[]> {
  const names = await refsUnder(gitDir, 'refs/ralph');
  return [...new Set(names.map((name) => name.split('/')[2]!))];
}

/** Removes the refs that `pinTree` created for a loop, except those of `kept`. The objects stay until `pruneObjects`. */
export async function unpinTrees(gitDir: string, loopId: string, kept: ReadonlySet<TreeId>): Promise<void> {
  const names = await refsUnder(gitDir, `refs/ralph/${loopId}`);
  const gone = names.filter((name) => !kept.has(name.split('/').at(-1)!));
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

async function refsUnder(gitDir: string, prefix: string): Promise<string[]> {
  const listed = await git(['for-each-ref', '--format=%(refname)', prefix], { cwd: gitDir, gitDir });
  return listed.toString('utf8').split('\n').filter(Boolean);
}
