import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { runGit, splitNul } from '../platform/git/git.ts';
import { isRealFolder, statOf } from '../platform/files/real-paths.ts';
import { removeInTree } from '../platform/files/remove-in-tree.ts';

/** Files that a workspace copies from repositories nested in the user's tree, submodules included. */
export interface NestedFiles {
  /** Folders of the copied repositories, relative to the root. */
  readonly folders: readonly string[];
  /** Their files and symbolic links that are tracked or not ignored, relative to the root. */
  readonly files: readonly string[];
}

/** Limits for all nested repositories together; the first repository beyond them, and every later one, is left out. */
const MAX_FILES = 20_000;
const MAX_BYTES = 256 * 2 ** 20;

/** Lists the files of nested repositories. `root` is absolute, `folders` are relative to it. */
export async function findNestedFiles(root: string, folders: readonly string[]): Promise<NestedFiles> {
  const found: { folders: string[]; files: string[] } = { folders: [], files: [] };
  let bytes = 0;
  for (const folder of folders) {
    const files = await listFiles(root, folder);
    bytes += files.reduce((sum, file) => sum + lstatSync(join(root, file)).size, 0);
    if (found.files.length + files.length > MAX_FILES || bytes > MAX_BYTES) break;
    if (files.length === 0) continue;
    found.folders.push(folder);
    found.files.push(...files);
  }
  return found;
}

/**
 * Makes the workspace's copies of nested repositories equal to the user's files. The copies have no `.git` and are not
 * part of snapshots: changes to them are lost.
 */
export function placeNestedFiles(root: string, workspace: string, { folders, files }: NestedFiles): void {
  const wanted = new Set(files);
  for (const file of files) {
    for (let at = posix.dirname(file); at !== '.' && !wanted.has(`${at}/`); at = posix.dirname(at))
      wanted.add(`${at}/`);
  }
  for (const folder of folders) removeForeign(workspace, folder, wanted);
  for (const file of files) placeFile(join(root, file), join(workspace, file));
}

async function listFiles(root: string, folder: string): Promise<string[]> {
  const cwd = join(root, folder);
  if (!isRealFolder(cwd) || !existsSync(join(cwd, '.git'))) return [];
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const outcome = await runGit(args, { cwd, gitDir: join(cwd, '.git'), workTree: cwd });
  if (outcome.exitCode !== 0) return [];
  const paths = new Set(splitNul(outcome.stdout).map((path) => posix.join(folder, path.toString('utf8'))));
  const lists = [...paths].map(async (path) => {
    if (posix.join('/', path).includes('/node_modules/')) return [];
    const stat = statOf(join(root, path));
    if (stat?.isDirectory()) return listFiles(root, path.replace(/\/$/, ''));
    const isOwn = stat?.isFile() === true || stat?.isSymbolicLink() === true;
    return isOwn && isRealFolder(dirname(join(root, path))) ? [path] : [];
  });
  return (await Promise.all(lists)).flat();
}

/** Removes every entry that is not wanted, except `node_modules`, which holds links. */
function removeForeign(workspace: string, folder: string, wanted: ReadonlySet<string>): void {
  const at = join(workspace, folder);
  if (!isRealFolder(at)) return removeInTree(workspace, folder);
  for (const entry of readdirSync(at, { withFileTypes: true })) {
    const path = posix.join(folder, entry.name);
    if (entry.name === 'node_modules') continue;
    if (entry.isDirectory() && wanted.has(`${path}/`)) removeForeign(workspace, path, wanted);
    else if (entry.isDirectory() || !wanted.has(path))
      rmSync(join(workspace, path), { recursive: true, force: true });
  }
}

function placeFile(source: string, target: string): void {
  const stat = statOf(source);
  if (stat === undefined || isSame(source, target)) return;
  mkdirSync(dirname(target), { recursive: true });
  rmSync(target, { force: true });
  if (stat.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
  else copyFileSync(source, target);
}

function isSame(source: string, target: string): boolean {
  const [stat, found] = [lstatSync(source), statOf(target)];
  if (found === undefined || found.mode !== stat.mode) return false;
  if (stat.isSymbolicLink()) return readlinkSync(source) === readlinkSync(target);
  return found.size === stat.size && readFileSync(source).equals(readFileSync(target));
}
