import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TreeId } from '../../ports/tree.ts';
import { git, latin1Items, runGit, type GitRequest } from '../../platform/git/git.ts';
import { isEnded } from '../../platform/git/limits.ts';
import type { TreeEntry } from './tree-changes.ts';
import { treeSignature } from './tree-signature.ts';

export interface IndexRequest extends GitRequest {
  readonly gitDir: string;
  readonly workTree: string;
  readonly indexFile: string;
}

export interface IndexEntry extends TreeEntry {
  /** Relative to the root; latin1 text, one character per byte, because it need not be valid UTF-8. */
  readonly path: string;
}

const DIFFERENT = [
  'ls-files',
  '-z',
  '--deleted',
  '--modified',
  '--others',
  '--directory',
  '--exclude-standard',
];

/** The index of one work tree in ralph's git directory, with a cache of its content. */
export class WorkTreeIndex {
  readonly request: IndexRequest;
  #tree: TreeId | undefined;
  #entries: readonly IndexEntry[] | undefined;
  /** Signature of the work tree when all of it was in the index; undefined if unknown. */
  #signature: string | undefined;

  constructor(gitDir: string, workTree: string) {
    const name = createHash('sha256').update(workTree).digest('hex').slice(0, 12);
    this.request = { cwd: workTree, gitDir, workTree, indexFile: join(gitDir, `index-${name}`) };
  }

  /** The tree in the index; undefined if unknown. */
  get tree(): TreeId | undefined {
    return this.#tree;
  }

  /** The entries, if they were read since the index last changed. */
  get knownEntries(): readonly IndexEntry[] | undefined {
    return this.#entries;
  }

  async entries(): Promise<readonly IndexEntry[]> {
    return (this.#entries ??= await listEntries(this.request));
  }

  /** Runs a function that may change the index and resolves to true if it did. The cache is dropped if it did or threw. */
  async update(run: (request: IndexRequest) => Promise<boolean>): Promise<void> {
    const [tree, entries, signature] = [this.#tree, this.#entries, this.#signature];
    this.#forget();
    if (await this.#retried(run)) return;
    this.#tree = tree;
    this.#entries = entries;
    this.#signature = signature;
  }

  /**
   * Runs a function that stages the whole work tree, except `leftOut`, unless the tree's signature shows that the index is
   * up to date.
   */
  async follow(
    run: (request: IndexRequest) => Promise<boolean>,
    leftOut: readonly string[] = [],
  ): Promise<void> {
    const signature = treeSignature(this.request.workTree, { leftOut });
    if (signature !== undefined && signature === this.#signature) return;
    await this.update(run);
    this.#signature = signature;
  }

  async writeTree(): Promise<TreeId> {
    return (this.#tree ??= (await git(['write-tree'], this.request)).toString('latin1').trim());
  }

  /** Writes the tree to index and work tree. If it fails, tries again without the index, which may be damaged. */
  async readTree(tree: TreeId): Promise<void> {
    const args = ['read-tree', '--reset', '-u', tree];
    this.#forget();
    const first = await runGit(args, this.request);
    if (first.exitCode !== 0) {
      rmSync(this.request.indexFile, { force: true });
      await git(args, this.request);
    }
    this.#tree = tree;
  }

  /** True if the index holds the tree and the work tree has the same files; ignored files are not compared. */
  async isStill(tree: TreeId): Promise<boolean> {
    if (this.#tree !== tree) return false;
    const signature = treeSignature(this.request.workTree);
    if (signature !== undefined && signature === this.#signature) return true;
    const { exitCode, stdout, stderr } = await runGit([...DIFFERENT, '--exclude=node_modules'], this.request);
    return exitCode === 0 && stdout.length === 0 && stderr === '';
  }

  /** If the function fails, runs it again without the index, which may be damaged. */
  async #retried(run: (request: IndexRequest) => Promise<boolean>): Promise<boolean> {
    try {
      return await run(this.request);
    } catch (error) {
      if (isEnded(error)) throw error;
      rmSync(this.request.indexFile, { force: true });
      await run(this.request);
      return true;
    }
  }

  #forget(): void {
    this.#tree = undefined;
    this.#entries = undefined;
    this.#signature = undefined;
  }
}

/** Records `<mode> <id> <stage>\t<path>` (git-ls-files(1)). */
async function listEntries(request: GitRequest): Promise<IndexEntry[]> {
  const items = latin1Items(await git(['ls-files', '--stage', '-z'], request));
  return items.map((item) => {
    const space = item.indexOf(' ');
    const id = item.slice(space + 1, item.indexOf(' ', space + 1));
    return { mode: item.slice(0, space), id, path: item.slice(item.indexOf('\t') + 1) };
  });
}
