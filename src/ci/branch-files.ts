import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, splitNul } from '../platform/git/git.ts';
import type { TreeReader } from '../workspace/snapshots/snapshots.ts';
import type { Branches, OwnFile } from './deciding-facts.ts';
import { parseTree, type ListedFile } from './listed-tree.ts';
import { readPlainFile } from './plain-files.ts';

/** Larger files of the default branch are not carried in the plan. */
export const MAX_FILE_BYTES = 1024 * 1024;

/** The files of a listed tree by path. */
export function byPath(listed: Buffer): ReadonlyMap<string, ListedFile> {
  return new Map(parseTree(listed).map((file) => [file.path, file]));
}

/** Files of the checked out commit, and those that git does not track, such as what an installed package has left. */
export async function filesOf(root: string): Promise<ReadonlyMap<string, OwnFile>> {
  const head = parseTree(await git(['ls-tree', '-r', '-l', '-z', '--full-tree', 'HEAD'], { cwd: root }));
  const untracked = async (...rules: readonly string[]): Promise<string[]> => {
    const paths = ['.', ':(exclude,glob)**/node_modules/**'];
    const listed = await git(['ls-files', '-z', '--others', ...rules, '--', ...paths], { cwd: root });
    return splitNul(listed).map((path) => path.toString('utf8'));
  };
  const [all, seen] = [await untracked(), new Set(await untracked('--exclude-standard'))];
  return new Map<string, OwnFile>([
    ...all.map((path) => {
      const tracking = seen.has(path) ? 'untracked' : 'ignored';
      return [path, { path, mode: '', id: '', bytes: 0, tracking }] as const;
    }),
    ...head.map((file) => [file.path, { ...file, tracking: 'tracked' }] as const),
  ]);
}

/** Text of a plain file; empty for anything else. */
export function textOf(file: string): string {
  try {
    const found = lstatSync(file);
    return found.isFile() && found.size <= MAX_FILE_BYTES ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

export async function readCarried(
  theirs: ReadonlyMap<string, ListedFile>,
  folder: string,
): Promise<ReadonlyMap<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  for (const path of theirs.keys()) {
    const content = await readPlainFile(join(folder, path), MAX_FILE_BYTES);
    if (content !== undefined) contents.set(path, content);
  }
  return contents;
}

/** The default branch's files. A text that the plan does not carry is the branch's own, if it is the same. */
export function readerOf(
  { theirs, own }: Branches,
  carried: ReadonlyMap<string, Buffer>,
  read: (path: string) => Promise<Buffer | undefined>,
): TreeReader {
  const files = [...theirs.values()];
  const pathsOf = Map.groupBy(files, ({ id }) => id);
  const contentOf = async (id: string): Promise<Buffer | undefined> => {
    const paths = (pathsOf.get(id) ?? []).map(({ path }) => path);
    const known = paths.find((path) => carried.has(path));
    if (known !== undefined) return carried.get(known);
    const same = paths.find((path) => own.get(path)?.id === id);
    return same === undefined ? undefined : read(same);
  };
  return {
    listFiles: () => Promise.resolve(files),
    readBlobs: async (ids) => {
      const found = await Promise.all(ids.map(async (id) => [id, await contentOf(id)] as const));
      return new Map(
        found.flatMap(([id, content]) => (content === undefined ? [] : [[id, content] as const])),
      );
    },
  };
}
