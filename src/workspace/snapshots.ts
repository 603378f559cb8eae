import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeSet, TreeId } from '../ports.ts';
import { readBlobs } from './blobs.ts';
import { git, joinNul, runGit, splitNul, type GitRequest } from './git.ts';
import type { Repository } from './repository.ts';
import { openSnapshotStore } from './snapshot-store.ts';
import { stageAll, stageOwn } from './stage.ts';
import { changeSet, entryChanges, type EntryChange, type TreeEntry } from './tree-changes.ts';
import { followUserIndex } from './user-index.ts';

/** Whole trees of files, kept in ralph's own git directory. Paths are relative to the tree's root. */
export interface Snapshots {
  /** Absolute path of ralph's git directory. */
  readonly gitDir: string;
  /**
   * Everything in a work tree that is tracked or not ignored, byte for byte, kept under a ref of this loop.
   * In the user's tree that also means what the user tracks in spite of an ignore rule; in a tree of ralph's
   * own, repositories that were made in it become plain folders.
   */
  snapshot(workTree: string): Promise<TreeId>;
  /** Writes what differs from the tree, and removes what the last snapshot or restore of it knew beyond it. */
  restoreTree(workTree: string, tree: TreeId): Promise<void>;
  /** A regular file's content, or a symbolic link's target; null where the tree has no such file. */
  readFile(tree: TreeId, path: string): Promise<Buffer | null>;
  listFiles(tree: TreeId): Promise<readonly TreeFile[]>;
  /** Contents by object id. */
  readBlobs(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  writeBlob(content: Buffer): Promise<string>;
  /** The tree with some paths set, or removed where they have no entry. */
  amend(tree: TreeId, edits: readonly TreeEdit[]): Promise<TreeId>;
  changes(from: TreeId, to: TreeId): Promise<ChangeSet>;
  entryChanges(from: TreeId, to: TreeId): Promise<readonly EntryChange[]>;
  /** Runs git over a work tree with ralph's git directory and that tree's own index. */
  run(workTree: string, args: readonly string[]): Promise<Buffer>;
  /** What snapshots of the user's tree could not hold, relative to its root: unreadable files, nested repositories. */
  notCovered(): readonly string[];
}

export interface TreeFile extends TreeEntry {
  readonly path: string;
}

export interface TreeEdit {
  readonly path: Buffer;
  readonly entry?: TreeEntry;
}

/** Opens the repository's snapshots for one loop; makes the git directory on first use. */
export async function openSnapshots(repository: Repository, loopId: string): Promise<Snapshots> {
  const gitDir = await openSnapshotStore(repository);
  const own: GitRequest = { cwd: gitDir, gitDir };
  const pinned = new Set<TreeId>();
  const notCovered = new Set<string>();
  const inTree = (workTree: string): GitRequest => requestFor(gitDir, workTree);

  /** Under a ref, so that no gc of the user's ever takes it. */
  const pin = async (tree: TreeId): Promise<TreeId> => {
    if (!pinned.has(tree)) await git(['update-ref', `refs/ralph/${loopId}/${tree}`, tree], own);
    pinned.add(tree);
    return tree;
  };
  const writeTree = async (request: GitRequest): Promise<TreeId> =>
    pin((await git(['write-tree'], request)).toString('latin1').trim());

  const stageUsers = async (request: GitRequest): Promise<void> => {
    const { repositories, unreadable } = await stageAll(request);
    for (const path of [...repositories, ...unreadable]) notCovered.add(path);
    await followUserIndex(request, repository.root);
  };

  return {
    gitDir,
    async snapshot(workTree) {
      const request = inTree(workTree);
      if (workTree === repository.root) await stageUsers(request);
      else await stageOwn(request);
      return writeTree(request);
    },
    restoreTree: (workTree, tree) => readTree(inTree(workTree), tree),
    async readFile(tree, path) {
      const outcome = await runGit(['cat-file', 'blob', `${tree}:${path}`], own);
      return outcome.exitCode === 0 ? outcome.stdout : null;
    },
    listFiles: (tree) => listFiles(tree, own),
    readBlobs: (ids) => readBlobs(ids, own),
    async writeBlob(content) {
      const id = await git(['hash-object', '-w', '--stdin', '--no-filters'], { ...own, input: content });
      return id.toString('latin1').trim();
    },
    async amend(tree, edits) {
      const indexFile = join(gitDir, `index-amend-${process.pid}`);
      const request = { ...own, indexFile };
      try {
        await git(['read-tree', tree], request);
        await git(['update-index', '-z', '--index-info'], { ...request, input: indexInfo(edits) });
        return await writeTree(request);
      } finally {
        rmSync(indexFile, { force: true });
      }
    },
    changes: (from, to) => changeSet(from, to, own),
    entryChanges: (from, to) => entryChanges(from, to, own),
    run: (workTree, args) => git(args, inTree(workTree)),
    notCovered: () => [...notCovered].sort(),
  };
}

/** Input of `update-index -z --index-info` (git-update-index(1)): mode 0 removes the path. */
export function indexInfo(edits: readonly TreeEdit[]): Buffer {
  const records = edits.map(({ path, entry }) => {
    const { mode, id } = entry ?? { mode: '0', id: '0'.repeat(40) };
    return Buffer.concat([Buffer.from(`${mode} ${id}\t`), path]);
  });
  return joinNul(records);
}

function requestFor(gitDir: string, workTree: string): GitRequest {
  const name = createHash('sha256').update(workTree).digest('hex').slice(0, 12);
  return { cwd: workTree, gitDir, workTree, indexFile: join(gitDir, `index-${name}`) };
}

/** An index that a killed process or a full disk spoiled is a cache like any other: once more without it. */
async function readTree(request: GitRequest, tree: TreeId): Promise<void> {
  const args = ['read-tree', '--reset', '-u', tree];
  const first = await runGit(args, request);
  if (first.exitCode === 0) return;
  rmSync(request.indexFile!, { force: true });
  await git(args, request);
}

async function listFiles(tree: TreeId, own: GitRequest): Promise<TreeFile[]> {
  const items = splitNul(await git(['ls-tree', '-r', '-z', tree], own));
  return items.map((item) => {
    const tab = item.indexOf(0x09);
    const [mode, , id] = item.toString('latin1', 0, tab).split(' ');
    return { mode: mode!, id: id!, path: item.toString('utf8', tab + 1) };
  });
}
