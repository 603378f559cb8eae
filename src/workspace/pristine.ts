import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { TreeId } from '../ports/tree.ts';
import { git, runGit } from '../platform/git/git.ts';
import { objectStores, renderAlternates } from './alternates.ts';
import { carryFiles, findCarried } from './carry.ts';
import { installChanged } from './dependencies/install-changed.ts';
import { linkDependencies } from './dependencies/link.ts';
import { dependencyFolders } from './dependencies/plan.ts';
import { makeFoldersWritable } from './make-writable.ts';
import { findNestedFiles, placeNestedFiles } from './nested-files.ts';
import { readRemotes } from './remotes.ts';
import type { Repository } from './repository.ts';
import type { Snapshots } from './snapshots/snapshots.ts';
import { NESTED_REPOSITORY } from './snapshots/tree-changes.ts';
import { readUserConfig } from './user-config.ts';
import { openWorkspaceHome } from './workspace-dir.ts';

export interface PristineOptions {
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  /** Globs of the user's ignored files to copy, as for the workspace. */
  readonly carry: readonly string[];
  /** The files that these globs name, relative to the root. Default: looked for. */
  readonly carried?: readonly string[] | undefined;
  /** Absolute path; default: the system's temporary folder. */
  readonly workspaceDir?: string | undefined;
  /** Number of the workspace among those of loops that run at the same time, 1-based. */
  readonly slot?: number | undefined;
  /** Another one of the same workspace is open. Default false. */
  readonly isSecond?: boolean;
}

/** A checkout of a tree as the user would have it. */
export interface PristineCheckout {
  /** Absolute real path; its last part is the name of the user's folder. */
  readonly root: string;
  /** Absolute real paths of the user's installed packages that it links to. */
  readonly dependencies: readonly string[];
  /** Absolute paths of the folders with the history's objects, which git needs to read. */
  readonly history: readonly string[];
  /** Removes it. Rejects if that is not possible. */
  close(): Promise<void>;
}

/** Attributes that would change content that snapshots store byte for byte. */
const ATTRIBUTES = '* -filter !working-tree-encoding\n';

/** Files in the workspace's home that name the checkouts of a killed process. */
const [NOTE, SECOND_NOTE] = ['checkout', 'checkout-2'];

/**
 * Makes a checkout of a tree from git's objects alone: the history and the branch of the user's repository, attributes
 * such as `ident` and `eol` applied, the user's installed dependencies, or those of a changed lockfile, and the ignored files that a workspace carries.
 * Nothing of a workspace is in it. It lies in a private folder, and its git directory is its own: nothing that is done in
 * it reaches the user's repository. Throws RalphError if git fails.
 */
export async function openPristineCheckout(
  options: PristineOptions,
  tree: TreeId,
): Promise<PristineCheckout> {
  const { repository, snapshots, carry, workspaceDir, slot, isSecond = false } = options;
  const { tree: workspace } = openWorkspaceHome(repository, workspaceDir, slot);
  const note = join(dirname(workspace), isSecond ? SECOND_NOTE : NOTE);
  await removeNoted(note);
  if (!isSecond) await removeNoted(join(dirname(workspace), SECOND_NOTE));
  const home = await mkdtemp(join(await realpath(workspaceDir ?? tmpdir()), 'work-'));
  writeFileSync(note, home);
  const close = async (): Promise<void> => {
    await remove(home);
    rmSync(note, { force: true });
  };
  try {
    const root = join(home, basename(repository.root) || 'repository');
    mkdirSync(root);
    const history = await checkOut({ repository, snapshots, root, tree });
    const entries = await snapshots.listFiles(tree);
    const nested = await findNestedFiles(
      repository.root,
      entries.filter(({ mode }) => mode === NESTED_REPOSITORY).map(({ path }) => path),
    );
    const files = [...entries.map(({ path }) => path), ...nested.files];
    const folders = dependencyFolders(repository.root, files);
    placeNestedFiles(repository.root, root, nested);
    const request = { repository: repository.root, workspace: root, files, folders, alike: workspace };
    const isInstalled = await installChanged({ repository: repository.root, root });
    const dependencies = isInstalled ? [] : linkDependencies(request).targets;
    carryFiles(repository.root, root, options.carried ?? (await findCarried(repository, carry)));
    return { root, dependencies, history, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface CheckOutRequest extends Pick<PristineOptions, 'repository' | 'snapshots'> {
  readonly root: string;
  readonly tree: TreeId;
}

/**
 * Writes the files and a git directory with the user's HEAD; returns the folders of its objects. The directory is written by
 * hand and by two commands of git, since starting a program takes longer than what it does here.
 */
async function checkOut({ repository, snapshots, root, tree }: CheckOutRequest): Promise<string[]> {
  const gitDir = join(root, '.git');
  const own = { cwd: root, gitDir, workTree: root };
  const { branch, head, commonDir } = repository;
  const write = (name: string, text: string): void => writeFileSync(join(gitDir, name), text);
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info'])
    mkdirSync(join(gitDir, folder), { recursive: true });
  write('HEAD', `ref: refs/heads/${branch ?? 'main'}\n`);
  write('config', (await ofFiles(repository)) + (await readRemotes(repository)));
  write('info/attributes', ATTRIBUTES);
  const exclude = readIfThere(join(commonDir, 'info', 'exclude'));
  if (exclude !== undefined) write('info/exclude', exclude);
  const history = objectStores(join(commonDir, 'objects'));
  const alternates = 'objects/info/alternates';
  write(alternates, renderAlternates([join(snapshots.gitDir, 'objects'), ...history]));
  await git(['read-tree', '--reset', '-u', tree], own);
  const shallow = readIfThere(join(commonDir, 'shallow'));
  if (shallow !== undefined) write('shallow', shallow);
  write(alternates, renderAlternates(history));
  const hasHead = (await runGit(['read-tree', head], own)).exitCode === 0;
  if (!hasHead) {
    write(alternates, '');
    rmSync(join(gitDir, 'index'), { force: true });
    return [];
  }
  if (branch === null) write('HEAD', `${head}\n`);
  else write('packed-refs', `# pack-refs with: sorted \n${head} refs/heads/${branch}\n`);
  return history;
}

/** Settings by which git compares files with the index, as `git init` finds them out. */
const OF_FILES = /^core\.(filemode|symlinks|ignorecase|precomposeunicode) (true|false)$/;

async function ofFiles(repository: Repository): Promise<string> {
  const lines = await readUserConfig(repository);
  const kept = lines.flatMap((line) => {
    const [, name, value] = OF_FILES.exec(line) ?? [];
    return name === undefined ? [] : [`\t${name} = ${value}`];
  });
  return ['[core]', '\trepositoryformatversion = 0', '\tbare = false', ...kept, ''].join('\n');
}

/** Only a folder that `mkdtemp` could have made is removed. */
async function removeNoted(note: string): Promise<void> {
  const folder = readIfThere(note);
  if (folder !== undefined && /^\/.*\/work-\w{6}$/.test(folder)) await remove(folder);
}

async function remove(folder: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 3 };
  try {
    await rm(folder, options);
  } catch {
    makeFoldersWritable(folder);
    await rm(folder, options);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
