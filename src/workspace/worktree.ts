import { readdirSync, rmSync, statfsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ExitCode, RalphError } from '../errors.ts';
import type { Workspace } from '../ports.ts';
import type { TreeId } from '../ports/tree.ts';
import { carryFiles, findCarried } from './carry.ts';
import { dependencyFolders } from './dependencies/plan.ts';
import { linkDependencies } from './dependencies/link.ts';
import { readHistory } from './history.ts';
import type { Repository } from './repository.ts';
import { makeFoldersWritable } from './make-writable.ts';
import { isEnded } from '../platform/git/limits.ts';
import { findNestedFiles, placeNestedFiles } from './nested-files.ts';
import type { Snapshots } from './snapshots/snapshots.ts';
import { NESTED_REPOSITORY } from './snapshots/tree-changes.ts';
import { treeWithFiles } from './snapshots/tree-with-files.ts';
import { removeDeepFolders } from './remove-deep-folders.ts';
import { openWorkspaceHome } from './workspace-dir.ts';

export interface WorktreeOptions {
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  /** Globs of ignored files to copy, because checks need them. */
  readonly carry: readonly string[];
  /** The files that match, relative to the root; default: looked for. */
  readonly carried?: readonly string[] | undefined;
  /** Absolute path; default: the system's temporary folder. */
  readonly workspaceDir?: string;
  /** Number of the workspace among those of loops that run at the same time, 1-based. */
  readonly slot?: number | undefined;
  /** Base of a resumed loop; if absent, the base is the user's tree now. */
  readonly base?: TreeId;
}

export interface LinkedWorkspace extends Workspace {
  /** The user's ignored files that were copied, relative to the root. */
  readonly carried: readonly string[];
  /** Absolute real paths of the user's installed packages that the workspace links to. */
  readonly dependencies: readonly string[];
  /** Nested repositories whose files were copied, relative to the root. Changes to these copies are lost. */
  readonly nested: readonly string[];
  /** Paths of the user's tree that the workspace does not contain, relative to the root. */
  readonly notCovered: readonly string[];
  /** Absolute paths of the user's object stores, which `.git` of the workspace reads. */
  readonly objects: readonly string[];
  /** Restores `.git`, dependencies, nested repositories and carried files from the user's tree. */
  repair(): void;
}

/**
 * A copy of the user's tree in another folder, which every attempt and every loop of the repository reuses. Opening it
 * resets it: tracked and untracked files of the base, linked dependencies and carried files, nothing of an earlier loop.
 * `restore` keeps ignored files, such as build products. Throws RalphError with exit code 4 if it cannot be created.
 */
export async function createWorktreeWorkspace(options: WorktreeOptions): Promise<LinkedWorkspace> {
  const { repository, snapshots } = options;
  const root = openWorkspaceHome(repository, options.workspaceDir, options.slot).tree;
  const base = options.base ?? (await snapshots.snapshot(repository.root));
  const entries = await snapshots.listFiles(base);
  const repositories = entries.filter(({ mode }) => mode === NESTED_REPOSITORY).map(({ path }) => path);
  const nested = await findNestedFiles(repository.root, repositories);
  const files = [...entries.map(({ path }) => path), ...nested.files];
  const folders = dependencyFolders(repository.root, files);

  const cleanAll = ['clean', '-ffdxq', ...folders.flatMap((folder) => ['-e', ignorePattern(folder)])];
  const isEmpty = readdirSync(root).length === 0;
  const [carried, history] = await Promise.all([
    options.carried ?? findCarried(repository, options.carry),
    readHistory(repository),
    writeTree({ snapshots, root, tree: base, clean: isEmpty ? [] : cleanAll }),
  ]);
  const dependencies = linkDependencies({
    repository: repository.root,
    workspace: root,
    files,
    folders,
  });
  const repair = (): void => {
    history.place(root);
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
    isCopy: true,
    carried,
    dependencies: dependencies.targets,
    nested: nested.folders,
    notCovered: [...missing].sort(),
    repair,
    objects: history.objects,
    async checkpoint() {
      const tree = await snapshots.snapshot(root);
      // An actor may have written into it; checks must not depend on that.
      history.place(root);
      return tree;
    },
    async checkpointFiles(tree, files) {
      return treeWithFiles(snapshots, { tree, source: await snapshots.snapshot(root), files });
    },
    async restore(tree) {
      // Otherwise files that the tree's own ignore rules hide would stay, and be missing from its patch.
      if (await hasOtherIgnoreRules(snapshots, base, tree)) await restore(snapshots, root, base);
      await restore(snapshots, root, tree);
      repair();
    },
    changes: (from, to) => snapshots.changes(from, to),
    close: async () => {},
  };
}

/** Writes the tree's files and removes every other file that is not ignored, and folders that become empty. */
async function restore(snapshots: Snapshots, root: string, tree: TreeId): Promise<void> {
  rmSync(join(root, '.git'), { recursive: true, force: true });
  if (await snapshots.isStill(root, tree)) return;
  await writeTree({ snapshots, root, tree, clean: ['clean', '-ffdq', '-e', 'node_modules'] });
}

interface WriteTreeRequest {
  readonly snapshots: Snapshots;
  readonly root: string;
  readonly tree: TreeId;
  /** Git command that removes other files; empty if there are none. */
  readonly clean: readonly string[];
}

/** If the first try fails, tries again with every folder made writable and without folders at a depth of thousands. */
async function writeTree({ snapshots, root, tree, clean }: WriteTreeRequest): Promise<void> {
  const attempt = async (): Promise<void> => {
    rmSync(join(root, '.git'), { recursive: true, force: true });
    await snapshots.restoreTree(root, tree);
    if (clean.length > 0) await snapshots.run(root, clean);
  };
  try {
    await attempt();
  } catch (error) {
    if (isEnded(error)) throw error;
    makeFoldersWritable(root);
    removeDeepFolders(root);
    await attempt().catch((error: unknown) => {
      throw unwritable(root, error);
    });
  }
}

/** Adds the free disk space to git's error, which does not name the reason on a full disk. */
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

/** An anchored ignore pattern that matches one path (gitignore(5)). */
function ignorePattern(path: string): string {
  return `/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}`;
}
