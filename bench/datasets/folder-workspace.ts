import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { ChangeSet, Workspace } from '../../src/ports.ts';
import { childEnvironment } from '../../src/platform/processes/environment.ts';
import { runProcess } from '../../src/platform/processes/process.ts';

type Texts = ReadonlyMap<string, string>;

/**
 * A small folder of text files as a workspace: checkpoints are in memory, there is no repository. `node_modules`
 * is not looked at. `changes` names modified, added and deleted files with a unified diff.
 */
export async function createFolderWorkspace(root: string): Promise<Workspace> {
  const trees = new Map<string, Texts>();
  const checkpoint = async (): Promise<string> => {
    const texts = await readTexts(root);
    const id = JSON.stringify([...texts]);
    trees.set(id, texts);
    return id;
  };
  const textsOf = (tree: string): Texts => {
    const texts = trees.get(tree);
    if (texts === undefined) throw new Error('The workspace has no such checkpoint.');
    return texts;
  };
  return {
    root,
    base: await checkpoint(),
    checkpoint,
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

async function changesBetween(from: Texts, to: Texts): Promise<ChangeSet> {
  const changed = [...new Set([...from.keys(), ...to.keys()])].filter(
    (path) => from.get(path) !== to.get(path),
  );
  if (changed.length === 0) return { files: [], linesAdded: 0, linesDeleted: 0, patch: '' };
  const patches = await Promise.all(
    changed.map(async (path) => ({ path, patch: await diffTexts(path, from.get(path), to.get(path)) })),
  );
  const files = patches.map(({ path, patch }) => ({
    path,
    kind: !from.has(path) ? ('added' as const) : to.has(path) ? ('modified' as const) : ('deleted' as const),
    linesAdded: countLines(patch, '+'),
    linesDeleted: countLines(patch, '-'),
  }));
  return {
    files,
    linesAdded: files.reduce((sum, file) => sum + file.linesAdded, 0),
    linesDeleted: files.reduce((sum, file) => sum + file.linesDeleted, 0),
    patch: patches.map(({ patch }) => patch).join(''),
  };
}

function countLines(patch: string, sign: '+' | '-'): number {
  return patch.split('\n').filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length;
}

/** Unified diff of one file, as `git diff` writes it; an absent text is an absent file. */
export async function diffTexts(
  path: string,
  before: string | undefined,
  after: string | undefined,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-diff-'));
  try {
    await writeTexts(
      folder,
      new Map(
        Object.entries({ a: before, b: after }).flatMap(([side, text]) =>
          text === undefined ? [] : [[join(side, path), text] as const],
        ),
      ),
    );
    const names = [
      before === undefined ? '/dev/null' : join('a', path),
      after === undefined ? '/dev/null' : join('b', path),
    ];
    const { stdout } = await runProcess({
      file: 'git',
      args: ['diff', '--no-index', '--no-color', '--no-ext-diff', '--no-prefix', '--', ...names],
      cwd: folder,
      env: childEnvironment(),
      keepBytes: 2 ** 24,
    });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
