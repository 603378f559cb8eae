import { posix } from 'node:path';
import type { Branches } from './deciding-facts.ts';

/** True for a file that the two branches do not have alike. */
export function isOther(path: string, { theirs, own }: Branches): boolean {
  const [old, fresh] = [theirs.get(path), own.get(path)];
  return old?.id !== fresh?.id || old?.mode !== fresh?.mode;
}

/** True for a file in a folder that the default branch has too: what the branch alone brings there is not used. */
export function isJudgedFolder(path: string, { theirs }: Branches): boolean {
  const folder = posix.dirname(path);
  if (folder === '.') return true;
  for (const other of theirs.keys()) if (other.startsWith(`${folder}/`)) return true;
  return false;
}

/** True in any `node_modules`. */
export function isInstalled(path: string): boolean {
  return path.split('/').includes('node_modules');
}

/** A file in the `node_modules` of a package of the default branch, which does not have it. */
export function broughtPackage({ theirs, own }: Branches): string | undefined {
  return [...own.values()].find(({ path, id }) => {
    const [, folder = '', rest] = /^(.*?)(?:^|\/)node_modules\/(.+)$/.exec(path) ?? [];
    return (
      rest !== undefined && theirs.has(posix.join(folder, 'package.json')) && theirs.get(path)?.id !== id
    );
  })?.path;
}
