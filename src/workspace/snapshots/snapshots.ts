import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeSet, TreeId } from '../../ports/tree.ts';
import { readBlobs } from './blobs.ts';
import { git, joinNul, runGit, splitNul, type GitRequest } from '../../platform/git/git.ts';
import { failpoint } from '../../platform/files/failpoint.ts';
import { RALPH_FOLDER } from '../../platform/ralph-folder.ts';
import type { Repository } from '../repository.ts';
import { runInWorkspace } from './watched-git.ts';
import { pinTree } from './pin-tree.ts';
import { recentResults } from './recent-results.ts';
import { openSnapshotStore } from './store.ts';
import { stageAll, stageOwn } from './stage.ts';
import { treeDifference, type EntryChange, type TreeDifference, type TreeEntry } from './tree-changes.ts';
import { followUserIndex } from './user-index.ts';
import { WorkTreeIndex, type IndexEntry } from './work-tree-index.ts';

/** Trees of files in ralph's own git directory. Paths are relative to the tree's root. */
export interface Snapshots {
  /** Absolute path of ralph's git directory. */
  readonly gitDir: string;
  /**
   * Stores every file of a work tree that is not ignored, byte for byte, under a ref of this loop. In the user's tree,
   * files that the user tracks despite an ignore rule are included; in a workspace, repositories that were created in it
   * become plain folders.
   */
  snapshot(workTree: string): Promise<TreeId>;
  /**
   * True if the work tree still has the files of this tree, which was its last snapshot or restore. Ignored files and
   * `node_modules` are not compared. False if it is not certain.
   */
  isStill(workTree: string, tree: TreeId): Promise<boolean>;
  /** Writes files that differ, and removes other files of the work tree's last snapshot or restore. */
  restoreTree(workTree: string, tree: TreeId): Promise<void>;
  /** Content of a file, or target of a symbolic link; null if the tree has neither at this path. */
  readFile(tree: TreeId, path: string): Promise<Buffer | null>;
  listFiles(tree: TreeId): Promise<readonly TreeFile[]>;
  /** Contents by object id. */
  readBlobs(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  writeBlob(content: Buffer): Promise<string>;
  /** A copy of the tree with some paths set; edits without an entry remove the path. */
  amend(tree: TreeId, edits: readonly TreeEdit[]): Promise<TreeId>;
  changes(from: TreeId, to: TreeId): Promise<ChangeSet>;
  entryChanges(from: TreeId, to: TreeId): Promise<readonly EntryChange[]>;
  /** Runs git on a workspace with ralph's git directory and index. The command must not change the index. */
  run(workTree: string, args: readonly string[]): Promise<Buffer>;
  /** Paths that snapshots of the user's tree do not contain: unreadable files and nested repositories. */
  notCovered(): readonly string[];
}

/** The files of a tree, and their contents. */
export type TreeReader = Pick<Snapshots, 'listFiles' | 'readBlobs'>;

export interface TreeFile extends TreeEntry {
  readonly path: string;
}

export interface TreeEdit {
  readonly path: Buffer;
  readonly entry?: TreeEntry;
}

/** Paths of the user's tree that are not staged and not part of its signature. */
const NOT_STAGED = ['.git', RALPH_FOLDER];

/** Differences, and lists of files, that are kept; one attempt uses the same ones several times. */
const KEPT_RESULTS = 4;

/** Number of amendments, to name their index files: loops of one process may amend at the same time. */
let amendments = 0;

/**
 * Opens the repository's snapshots for one loop; creates the git directory on first use. `removeStaleLocks` (default
 * true) must be false if other loops of this process may use the directory.
 */
export async function openSnapshots(
  repository: Repository,
  loopId: string,
  { removeStaleLocks = true }: { readonly removeStaleLocks?: boolean } = {},
): Promise<Snapshots> {
  const gitDir = await openSnapshotStore(repository, { removeStaleLocks });
  const own = { cwd: gitDir, gitDir };
  const pinned = new Set<TreeId>();
  const notCovered = new Set<string>();
  const indexes = new Map<string, WorkTreeIndex>();
  const differences = recentResults<TreeDifference>(KEPT_RESULTS);
  const listings = recentResults<readonly TreeFile[]>(KEPT_RESULTS);

  const indexOf = (workTree: string): WorkTreeIndex => {
    const index = indexes.get(workTree) ?? new WorkTreeIndex(gitDir, workTree);
    indexes.set(workTree, index);
    return index;
  };
  const pin = async (tree: TreeId): Promise<TreeId> => {
    if (!pinned.has(tree)) await pinTree(gitDir, loopId, tree);
    pinned.add(tree);
    return tree;
  };
  const stageUsers = async (index: WorkTreeIndex): Promise<void> => {
    await index.follow(async (request) => {
      const { changed, repositories, unreadable } = await stageAll(request);
      for (const path of [...repositories, ...unreadable]) notCovered.add(path);
      return changed;
    }, NOT_STAGED);
    // The tree is kept unless the user's index changes ours: both commands run at once.
    const [entries] = await Promise.all([index.entries(), index.writeTree()]);
    const ours = new Set(entries.map(({ path }) => path));
    await index.update((request) => followUserIndex(request, repository, ours));
  };

  return {
    gitDir,
    async snapshot(workTree) {
      const index = indexOf(workTree);
      if (workTree === repository.root) await stageUsers(index);
      else await index.follow(stageOwn);
      failpoint('snapshot.staged', workTree);
      const tree = await index.writeTree();
      failpoint('snapshot.written', workTree);
      await pin(tree);
      failpoint('snapshot.kept', workTree);
      return tree;
    },
    isStill: (workTree, tree) => indexOf(workTree).isStill(tree),
    async restoreTree(workTree, tree) {
      failpoint('restore.begin', workTree);
      await indexOf(workTree).readTree(tree);
      failpoint('restore.done', workTree);
    },
    async readFile(tree, path) {
      const outcome = await runGit(['cat-file', 'blob', `${tree}:${path}`], own);
      return outcome.exitCode === 0 ? outcome.stdout : null;
    },
    listFiles: (tree) =>
      listings.get(tree, async () => {
        const index = [...indexes.values()].find((one) => one.tree === tree);
        return index?.knownEntries?.map(toTreeFile) ?? listFiles(tree, own);
      }),
    readBlobs: (ids) => readBlobs(ids, own),
    async writeBlob(content) {
      const id = await git(['hash-object', '-w', '--stdin', '--no-filters'], { ...own, input: content });
      return id.toString('latin1').trim();
    },
    async amend(tree, edits) {
      const indexFile = join(gitDir, `index-amend-${process.pid}-${amendments++}`);
      const request = { ...own, indexFile };
      try {
        await git(['read-tree', tree], request);
        await git(['update-index', '-z', '--index-info'], { ...request, input: indexInfo(edits) });
        return await pin((await git(['write-tree'], request)).toString('latin1').trim());
      } finally {
        rmSync(indexFile, { force: true });
      }
    },
    changes: async (from, to) => (await difference(from, to)).changes,
    entryChanges: async (from, to) => (await difference(from, to)).entries,
    run: (workTree, args) => runInWorkspace(args, indexOf(workTree).request),
    notCovered: () => [...notCovered].sort(),
  };

  function difference(from: TreeId, to: TreeId): Promise<TreeDifference> {
    return differences.get(`${from} ${to}`, () => treeDifference(from, to, own));
  }
}

/**
 * Input of `update-index -z --index-info` (git-update-index(1)): mode 0 removes the path. `idLength` is the number of
 * digits of the repository's object ids.
 */
export function indexInfo(edits: readonly TreeEdit[], idLength = 40): Buffer {
  const records = edits.map(({ path, entry }) => {
    const { mode, id } = entry ?? { mode: '0', id: '0'.repeat(idLength) };
    return Buffer.concat([Buffer.from(`${mode} ${id}\t`), path]);
  });
  return joinNul(records);
}

function toTreeFile({ mode, id, path }: IndexEntry): TreeFile {
  const isAscii = !/[\x80-\xff]/.test(path);
  return { mode, id, path: isAscii ? path : Buffer.from(path, 'latin1').toString('utf8') };
}

async function listFiles(tree: TreeId, own: GitRequest): Promise<TreeFile[]> {
  const items = splitNul(await git(['ls-tree', '-r', '-z', tree], own));
  return items.map((item) => {
    const tab = item.indexOf(0x09);
    const [mode, , id] = item.toString('latin1', 0, tab).split(' ');
    return { mode: mode!, id: id!, path: item.toString('utf8', tab + 1) };
  });
}
