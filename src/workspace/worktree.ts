import { rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { TreeId, Workspace } from '../ports.ts';
import { carryFiles, findCarried } from './carry.ts';
import { dependencyFolders } from './dependency-plan.ts';
import { linkDependencies } from './link-dependencies.ts';
import type { Repository } from './repository.ts';
import { makeFoldersWritable } from './make-writable.ts';
import type { Snapshots } from './snapshots.ts';
import { NESTED_REPOSITORY } from './tree-changes.ts';
import { openWorkspaceHome } from './workspace-dir.ts';

export interface WorktreeOptions {
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  /** Globs of ignored files that checks need. */
  readonly carry: readonly string[];
  /** Default: the system's temporary folder. */
  readonly workspaceDir?: string;
  /** A resumed loop's base; without it the user's tree is taken as it is now. */
  readonly base?: TreeId;
}

export interface LinkedWorkspace extends Workspace {
  /** Ignored files of the user that were copied in, relative to the root. */
  readonly carried: readonly string[];
  /** What of the user's tree the workspace does not have, relative to the root. */
  readonly notCovered: readonly string[];
  /** Puts dependencies and carried files back as the user has them, whatever was done to them. */
  repair(): void;
}

/**
 * A copy of the user's tree, outside of it, that every attempt and every loop of the repository reuses.
 * Opening it makes it pristine: tracked and untracked files of the base, linked dependencies, carried files,
 * nothing that an earlier loop left. `restore` keeps what the base's rules ignore, build products included.
 * Throws RalphError with exit code 4 where it cannot be made.
 */
export async function createWorktreeWorkspace(options: WorktreeOptions): Promise<LinkedWorkspace> {
  const { repository, snapshots } = options;
  const root = openWorkspaceHome(repository, options.workspaceDir).tree;
  const base = options.base ?? (await snapshots.snapshot(repository.root));
  const entries = await snapshots.listFiles(base);
  const files = entries.map(({ path }) => path);
  const folders = dependencyFolders(repository.root, files);

  await bring(snapshots, root, base);
  await snapshots.run(root, ['clean', '-ffdxq', ...folders.flatMap((folder) => ['-e', asPattern(folder)])]);
  const dependencies = linkDependencies({
    repository: repository.root,
    workspace: root,
    files,
    folders,
  });
  const carried = await findCarried(repository, options.carry);
  const repair = (): void => {
    dependencies.repair();
    carryFiles(repository.root, root, carried);
  };
  repair();
  const nested = entries.filter(({ mode }) => mode === NESTED_REPOSITORY).map(({ path }) => path);
  return {
    root,
    base,
    carried,
    notCovered: [...new Set([...nested, ...snapshots.notCovered()])].sort(),
    repair,
    checkpoint: () => snapshots.snapshot(root),
    async restore(tree) {
      // Files that rules of the tree itself hide would otherwise outlive it, and be missing from its patch.
      if (await hasOtherIgnoreRules(snapshots, base, tree)) await bring(snapshots, root, base);
      await bring(snapshots, root, tree);
      repair();
    },
    changes: (from, to) => snapshots.changes(from, to),
    close: async () => {},
  };
}

/** Writes the tree's files and removes every other file that is not ignored, and folders that are then empty. */
async function bring(snapshots: Snapshots, root: string, tree: TreeId): Promise<void> {
  rmSync(join(root, '.git'), { recursive: true, force: true });
  const clean = ['clean', '-ffdq', '-e', 'node_modules'];
  try {
    await snapshots.restoreTree(root, tree);
    await snapshots.run(root, clean);
  } catch {
    makeFoldersWritable(root);
    await snapshots.restoreTree(root, tree);
    await snapshots.run(root, clean);
  }
}

async function hasOtherIgnoreRules(snapshots: Snapshots, base: TreeId, tree: TreeId): Promise<boolean> {
  const changes = await snapshots.entryChanges(base, tree);
  return changes.some(({ path }) => posix.basename(path.toString('latin1')) === '.gitignore');
}

/** A path as an anchored ignore pattern (gitignore(5)). */
function asPattern(path: string): string {
  return `/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}`;
}
