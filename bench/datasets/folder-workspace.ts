import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { countChangedLines, unifiedDiff } from '../../src/platform/text/line-diff.ts';
import type { Workspace } from '../../src/ports.ts';
import type { ChangeSet, FileChange } from '../../src/ports/tree.ts';

/** Contents by path, relative to the root. */
type Texts = ReadonlyMap<string, string>;

/**
 * A workspace on a small folder of text files, without a repository: checkpoints are kept in memory. `node_modules` is
 * ignored. `changes` reports modified, added and deleted files and a unified diff.
 */
export async function createFolderWorkspace(root: string): Promise<Workspace> {
  const trees = new Map<string, Texts>();
  const store = (texts: Texts): string => {
    const id = JSON.stringify([...texts]);
    trees.set(id, texts);
    return id;
  };
  const checkpoint = async (): Promise<string> => store(await readTexts(root));
  const textsOf = (tree: string): Texts => {
    const texts = trees.get(tree);
    if (texts === undefined) throw new Error('The workspace has no such checkpoint.');
    return texts;
  };
  return {
    root,
    base: await checkpoint(),
    checkpoint,
    async checkpointFiles(tree, files) {
      const texts = await readTexts(root);
      const kept = [...textsOf(tree)].filter(([path]) => !files.includes(path));
      return store(new Map([...kept, ...[...texts].filter(([path]) => files.includes(path))]));
    },
    restore: async (tree) => writeTexts(root, textsOf(tree)),
    changes: async (from, to) => changesBetween(textsOf(from), textsOf(to)),
    close: async () => {},
  };
}

async function readTexts(root: string): Promise<Texts> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/(^|[\\/])node_modules[\\/]/.test(path))
    .sort();
  const texts = paths.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const);
  return new Map(await Promise.all(texts));
}

async function writeTexts(root: string, texts: Texts): Promise<void> {
  for (const path of (await readTexts(root)).keys()) if (!texts.has(path)) await rm(join(root, path));
  for (const [path, text] of texts) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

function changesBetween(from: Texts, to: Texts): ChangeSet {
  const paths = [...new Set([...from.keys(), ...to.keys()])];
  const changed = paths.filter((path) => from.get(path) !== to.get(path));
  const files = changed.map((path): FileChange => {
    const { additions, deletions } = countChangedLines(from.get(path) ?? '', to.get(path) ?? '');
    return { path, kind: kindOf(path, from, to), linesAdded: additions, linesDeleted: deletions };
  });
  return {
    files,
    linesAdded: files.reduce((sum, file) => sum + file.linesAdded, 0),
    linesDeleted: files.reduce((sum, file) => sum + file.linesDeleted, 0),
    patch: changed.map((path) => unifiedDiff(path, from.get(path) ?? '', to.get(path) ?? '')).join(''),
  };
}

function kindOf(path: string, from: Texts, to: Texts): FileChange['kind'] {
  if (!from.has(path)) return 'added';
  return to.has(path) ? 'modified' : 'deleted';
}
