import { lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The git directory of a work tree, and the one that all work trees of the repository share (gitrepository-layout(5)). Absolute
 * paths; `root` is absolute. Throws if there is none.
 */
export function gitFolders(root: string): [own: string, common: string] {
  const path = join(root, '.git');
  if (lstatSync(path).isDirectory()) return [path, path];
  const named = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
  const own = resolve(root, named);
  const common = lstatSync(join(own, 'commondir'), { throwIfNoEntry: false });
  return [
    own,
    common === undefined ? own : resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim()),
  ];
}

/** Whether two folders are work trees of the same repository. False where that is not certain. */
export function areLinked(root: string, other: string): boolean {
  try {
    return gitFolders(root)[1] === gitFolders(other)[1];
  } catch {
    return false;
  }
}
