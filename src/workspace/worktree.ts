import { readdirSync, rmSync, statfsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ExitCode, RalphError } from '../errors.ts';
import type { TreeId, Workspace } from '../ports.ts';
import { carryFiles, findCarried } from './carry.ts';
import { dependencyFolders } from './dependencies/plan.ts';
import { linkDependencies } from './dependencies/link.ts';
import type { Repository } from './repository.ts';
import { makeFoldersWritable } from './make-writable.ts';
import { findNestedFiles, placeNestedFiles } from './nested-files.ts';
import type { Snapshots } from './snapshots/snapshots.ts';
import { NESTED_REPOSITORY } from './snapshots/tree-changes.ts';
import { openWorkspaceHome } from './workspace-dir.ts';

export interface WorktreeOptions {
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  /** Globs of ignored files that checks need. */
  readonly carry: readonly string[];
  /** Default: the system's temporary folder. */
  readonly workspaceDir?: string;
  /** Which of several workspaces side by side, 1-based. */
  readonly lane?: number | undefined;
  /** A resumed loop's base; without it the user's tree is taken as it is now. */
  readonly base?: TreeId;
}

export interface LinkedWorkspace extends Workspace {
  /** Ignored files of the user that were copied in, relative to the root. */
  readonly carried: readonly string[];
  /** Absolute real paths of the user's installed packages that the workspace's dependencies lead to. */
  readonly dependencies: readonly string[];
  /** Nested repositories whose files were copied in, relative to the root: what is changed there is not kept. */
  readonly nested: readonly string[];
  /** What of the user's tree the workspace does not have, relative to the root. */
  readonly notCovered: readonly string[];
  /** Puts dependencies, nested repositories and carried files back as the user has them, whatever was done to them. */
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
  const root = openWorkspaceHome(repository, options.workspaceDir, options.lane).tree;
  const base = options.base ?? (await snapshots.snapshot(repository.root));
  const entries = await snapshots.listFiles(base);
  const repositories = entries.filter(({ mode }) => mode === NESTED_REPOSITORY).map(({ path }) => path);
  const nested = await findNestedFiles(repository.root, repositories);
  const files = [...entries.map(({ path }) => path), ...nested.files];
  const folders = dependencyFolders(repository.root, files);

  const everything = ['clean', '-ffdxq', ...folders.flatMap((folder) => ['-e', asPattern(folder)])];
  // What git writes into an empty folder is all that is in it.
  await bring({ snapshots, root, tree: base, clean: readdirSync(root).length === 0 ? [] : everything });
  const dependencies = linkDependencies({
    repository: repository.root,
    workspace: root,
    files,
    folders,
  });
  const carried = await findCarried(repository, options.carry);
  const repair = (): void => {
    placeNestedFiles(repository.root, root, nested);
    dependencies.repair();
    carryFiles(repository.root, root, carried);
  };
  repair();
  const missing = new Set([...repositories, ...snapshots.notCovered()]);
  for (const folder of nested.folders) missing.delete(folder);
  return {
    root,
    base,
    carried,
    dependencies: dependencies.targets,
    nested: nested.folders,
    notCovered: [...missing].sort(),
    repair,
    checkpoint: () => snapshots.snapshot(root),
    async restore(tree) {
      // Files that rules of the tree itself hide would otherwise outlive it, and be missing from its patch.
      if (await hasOtherIgnoreRules(snapshots, base, tree)) await restore(snapshots, root, base);
      await restore(snapshots, root, tree);
      repair();
    },
    changes: (from, to) => snapshots.changes(from, to),
    close: async () => {},
  };
}

/** Writes the tree's files and removes every other file that is not ignored, and folders that are then empty. */
async function restore(snapshots: Snapshots, root: string, tree: TreeId): Promise<void> {
  rmSync(join(root, '.git'), { recursive: true, force: true });
  if (await snapshots.isStill(root, tree)) return;
  await bring({ snapshots, root, tree, clean: ['clean', '-ffdq', '-e', 'node_modules'] });
}

interface Bringing {
  readonly snapshots: Snapshots;
  readonly root: string;
  readonly tree: TreeId;
  /** The command of git that removes what is to go; empty where there can be nothing. */
  readonly clean: readonly string[];
}

async function bring({ snapshots, root, tree, clean }: Bringing): Promise<void> {
  const attempt = async (): Promise<void> => {
    rmSync(join(root, '.git'), { recursive: true, force: true });
    await snapshots.restoreTree(root, tree);
    if (clean.length > 0) await snapshots.run(root, clean);
  };
  try {
    await attempt();
  } catch {
    makeFoldersWritable(root);
    await attempt().catch((error: unknown) => {
      throw unwritable(root, error);
    });
  }
}

/** Git names the file, and on a full disk not the reason. */
function unwritable(root: string, cause: unknown): unknown {
  if (!(cause instanceof RalphError) || !/unable to (write|create)|No space left/.test(cause.message))
    return cause;
  const { bavail, bsize } = statfsSync(root);
  const left = `${Math.round((bavail * bsize) / 2 ** 20)} MiB are free there`;
  return new RalphError(`The copy of your files cannot be written to ${root}, ${left}: ${cause.message}`, {
    code: 'workspace_unwritable',
    exitCode: ExitCode.workspace,
    hint: 'Free some disk space, or set workspaceDir to a folder that has more.',
    cause,
  });
}

async function hasOtherIgnoreRules(snapshots: Snapshots, base: TreeId, tree: TreeId): Promise<boolean> {
  const changes = await snapshots.entryChanges(base, tree);
  return changes.some(({ path }) => posix.basename(path.toString('latin1')) === '.gitignore');
}

/** A path as an anchored ignore pattern (gitignore(5)). */
function asPattern(path: string): string {
  return `/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}`;
}
