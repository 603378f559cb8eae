import { posix } from 'node:path';
import type { TreeId } from '../../ports/tree.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import { isSource } from './configuration.ts';
import { isNamedTest, isTest } from './protected-paths.ts';

const CODE = /\.[cm]?[jt]sx?$/;
const RELATIVE = /\b(?:from|import|require)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;
const MAX_READ = 2_000;
const ENDINGS = ['', '.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs', '.cts', '.cjs', '/index.ts', '/index.js'];

/**
 * Files of the base that lie in a folder like `src/spec`, which is named as tests are, and that sources outside such folders
 * import: they belong to the product. Paths are relative to the root.
 */
export async function productInTestFolders(base: TreeId, snapshots: Snapshots): Promise<readonly string[]> {
  const files = (await snapshots.listFiles(base)).filter(({ path }) => isSource(path) && CODE.test(path));
  const open = new Set(files.map(({ path }) => path).filter((path) => isTest(path) && !isNamedTest(path)));
  if (open.size === 0) return [];
  const contents = await snapshots.readBlobs(files.slice(0, MAX_READ).map(({ id }) => id));
  const imports = new Map(
    files.map(({ path, id }) => [path, importsOf(path, contents.get(id)?.toString('utf8') ?? '', open)]),
  );
  const found = new Set<string>();
  const visit = (path: string): void => {
    for (const name of imports.get(path) ?? []) {
      if (found.has(name)) continue;
      found.add(name);
      visit(name);
    }
  };
  for (const { path } of files) if (!isTest(path)) visit(path);
  return [...found];
}

/** Those of the open files that a file imports. */
function importsOf(path: string, text: string, open: ReadonlySet<string>): string[] {
  return [...text.matchAll(RELATIVE)].flatMap(([, , name]) => {
    const target = posix.join(posix.dirname(path), name!);
    const bare = target.replace(/\.[cm]?js$/, '');
    return (
      [target, bare].flatMap((stem) => ENDINGS.map((end) => stem + end)).find((it) => open.has(it)) ?? []
    );
  });
}
