import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gitFolders } from '../../platform/git/git-folders.ts';
import type { Repository } from '../repository.ts';
import type { TreeId } from '../../ports/tree.ts';
import { importTree, treeOfCommit } from './import-tree.ts';
import type { Snapshots, TreeEdit, TreeFile } from './snapshots.ts';
import { NESTED_REPOSITORY } from './tree-changes.ts';

/**
 * A tree with the files of the commits that its entries for submodules name, as far as these commits are there; the other
 * entries stay. Throws RalphError if git fails.
 */
export async function withNestedCommits(
  repository: Pick<Repository, 'root' | 'commonDir'>,
  snapshots: Snapshots,
  tree: TreeId,
): Promise<TreeId> {
  const edits = await editsFor(repository, snapshots, { folder: '', files: await snapshots.listFiles(tree) });
  return edits.length === 0 ? tree : snapshots.amend(tree, edits);
}

interface Folder {
  /** Empty, or with a slash at its end. */
  readonly folder: string;
  readonly files: readonly TreeFile[];
}

/** In the order in which they must be made: an entry is removed before its files are added. */
async function editsFor(
  repository: Pick<Repository, 'root' | 'commonDir'>,
  snapshots: Snapshots,
  { folder, files }: Folder,
): Promise<TreeEdit[]> {
  const edits: TreeEdit[] = [];
  for (const { path, id } of files.filter(({ mode }) => mode === NESTED_REPOSITORY)) {
    const at = `${folder}${path}`;
    const inner = await filesOf(id, gitFoldersOf(repository, at), snapshots);
    if (inner === undefined) continue;
    edits.push({ path: Buffer.from(at) });
    for (const { path: name, ...entry } of inner) edits.push({ path: Buffer.from(`${at}/${name}`), entry });
    edits.push(...(await editsFor(repository, snapshots, { folder: `${at}/`, files: inner })));
  }
  return edits;
}

async function filesOf(
  commit: string,
  gitDirs: readonly string[],
  snapshots: Snapshots,
): Promise<readonly TreeFile[] | undefined> {
  for (const gitDir of gitDirs) {
    // The folder that its configuration names may be gone.
    const from = { cwd: gitDir, gitDir, workTree: gitDir };
    const tree = await treeOfCommit(commit, from);
    if (tree?.length !== 40) continue;
    await importTree(from, { tree }, snapshots.gitDir);
    return snapshots.listFiles(tree);
  }
  return undefined;
}

/** Git directories that may have the commits of a submodule (gitsubmodules(7)). */
function gitFoldersOf({ root, commonDir }: Pick<Repository, 'root' | 'commonDir'>, path: string): string[] {
  return [...ownFolder(join(root, path)), join(commonDir, 'modules', path)].filter((it) => existsSync(it));
}

function ownFolder(root: string): string[] {
  try {
    return [gitFolders(root)[0]];
  } catch {
    return [];
  }
}
