import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { gitFolders } from '../../platform/git/git-folders.ts';
import { textOf } from '../../platform/files/text-of.ts';
import { MARK } from './hook-file.ts';

const HOOKS = ['pre-commit', 'pre-push'];
const HOOKS_PATH = /^[ \t]*(?:\[core\][ \t]*)?hooksPath[ \t]*=[ \t]*(.*?)[ \t]*$/im;

/**
 * The hooks of git that call the gate, with their content, and where git looks for hooks instead. Nothing if none calls the gate.
 * Starts no process.
 */
export function gitHookState(root: string, home: string): string[] {
  let common: string;
  try {
    [, common] = gitFolders(root);
  } catch {
    return [];
  }
  const settings = [
    ['.git/config', join(common, 'config')],
    ['~/.gitconfig', join(home, '.gitconfig')],
    ['~/.config/git/config', join(home, '.config', 'git', 'config')],
  ] as const;
  const set = settings.flatMap(([shown, path]) => {
    const folder = HOOKS_PATH.exec(textOf(path))?.[1];
    return folder === undefined ? [] : [{ shown, folder }];
  });
  const places = [
    ['.git/hooks', join(common, 'hooks')] as const,
    ...set.map(({ folder }) => [folder, resolve(root, folder)] as const),
  ];
  const calls = places.flatMap(([shown, folder]) =>
    HOOKS.flatMap((name) => callIn(posix.join(shown, name), join(folder, name))),
  );
  if (calls.length === 0) return [];
  return [...calls, ...set.map(({ shown, folder }) => `${shown}: core.hooksPath = ${folder}`)];
}

function callIn(shown: string, path: string): string[] {
  const text = textOf(path);
  if (!MARK.test(text)) return [];
  const isRun = ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0;
  return [`${shown}: ${isRun ? 'runs' : 'does not run'} ${createHash('sha256').update(text).digest('hex')}`];
}
