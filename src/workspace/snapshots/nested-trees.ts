import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRealFolder } from '../../platform/files/real-paths.ts';
import { areLinked, gitFolders } from '../../platform/git/git-folders.ts';
import type { Repository } from '../repository.ts';
import type { Snapshots, TreeEdit } from './snapshots.ts';
import { stageAll } from './stage.ts';
import { NESTED_REPOSITORY } from './tree-changes.ts';
import { followUserIndex } from './user-index.ts';
import { WorkTreeIndex, type IndexEntry } from './work-tree-index.ts';

/**
 * Snapshots whose trees of the user's files have the files of submodules, and of other repositories in the repository, in the
 * place of an entry that only names a commit: files that are tracked there, or that its own `.gitignore` does not name. Other work trees of
 * the same repository, and submodules that were not fetched, stay as they are.
 */
export function withNestedFiles(snapshots: Snapshots, repository: Repository): Snapshots {
  const { root } = repository;
  const indexes = new Map<string, WorkTreeIndex>();
  let covered: readonly string[] = [];

  return {
    ...snapshots,
    async snapshot(workTree) {
      const tree = await snapshots.snapshot(workTree);
      if (workTree !== root) return tree;
      const files = await snapshots.listFiles(tree);
      const named = files.filter(({ mode }) => mode === NESTED_REPOSITORY).map(({ path }) => path);
      const nested = nestedIn(root, named, snapshots.notCovered());
      covered = nested;
      if (nested.length === 0) return tree;
      const edits: TreeEdit[] = [];
      for (const path of nested) {
        const stale = files.filter((file) => file.path === path || file.path.startsWith(`${path}/`));
        edits.push(...stale.map((file) => ({ path: Buffer.from(file.path) })));
        edits.push(...(await entriesOf(path)).map((entry) => toEdit(path, entry)));
      }
      return snapshots.amend(tree, edits);
    },
    notCovered: () => snapshots.notCovered().filter((path) => !covered.includes(path)),
  };

  /** The files of a repository at `path`, and of those in it; paths are relative to it. */
  async function entriesOf(path: string): Promise<IndexEntry[]> {
    const at = join(root, path);
    const index = indexes.get(path) ?? new WorkTreeIndex(snapshots.gitDir, at);
    indexes.set(path, index);
    let further: readonly string[] = [];
    await index.update(async (request) => {
      const { changed, repositories } = await stageAll(request);
      further = repositories;
      return changed;
    });
    const ours = new Set((await index.entries()).map((entry) => entry.path));
    const gitDir = gitFolderOf(at);
    if (gitDir !== undefined)
      await index.update((request) => followUserIndex(request, { root: at, gitDir }, ours));
    const own = await index.entries();
    const links = own.filter(({ mode }) => mode === NESTED_REPOSITORY).map((entry) => pathOf(entry));
    const inner = nestedIn(at, links, further);
    const isInner = (one: string): boolean => inner.some((it) => one === it || one.startsWith(`${it}/`));
    const lists = [own.filter((entry) => !isInner(pathOf(entry)))];
    for (const one of inner) {
      const found = await entriesOf(`${path}/${one}`);
      const prefix = Buffer.from(`${one}/`).toString('latin1');
      lists.push(found.map((entry) => ({ ...entry, path: prefix + entry.path })));
    }
    return lists.flat();
  }
}

/**
 * The folders whose files are those of another repository: of those that a tree names, also one whose `.git` was removed; of the
 * others, repositories without a commit.
 */
function nestedIn(root: string, named: readonly string[], others: readonly string[]): string[] {
  const bare = others.filter((path) => existsSync(join(root, path, '.git')));
  return [...new Set([...named, ...bare])].filter((path) => isFolderOfAnother(root, path));
}

function isFolderOfAnother(root: string, path: string): boolean {
  const at = join(root, path);
  if (path.includes('\ufffd') || !isRealFolder(at) || areLinked(at, root)) return false;
  try {
    return readdirSync(at).length > 0;
  } catch {
    return false;
  }
}

function gitFolderOf(root: string): string | undefined {
  try {
    const [own] = gitFolders(root);
    return existsSync(own) ? own : undefined;
  } catch {
    return undefined;
  }
}

function pathOf({ path }: IndexEntry): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

function toEdit(folder: string, { path, mode, id }: IndexEntry): TreeEdit {
  return {
    path: Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]),
    entry: { mode, id },
  };
}
