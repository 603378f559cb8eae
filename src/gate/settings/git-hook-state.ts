import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { gitEnvironment } from '../../platform/git/environment.ts';
import { gitFolders } from '../../platform/git/git-folders.ts';
import { textOf } from '../../platform/files/text-of.ts';
import { MARK } from './hook-file.ts';

const HOOKS = ['pre-commit', 'pre-push'];
const HOOKS_PATH = /^[ \t]*(?:\[core\][ \t]*)?hooksPath[ \t]*=[ \t]*(.*?)[ \t]*$/im;

/** Settings by which git reads a further file of settings. */
const READS_FURTHER = /^[ \t]*\[include|worktreeConfig/im;
const GIT_MS = 5_000;

/**
 * The hooks of git that call the gate, with their content, and where git looks for hooks instead. Nothing if none calls the gate.
 * Starts no process but git, where the settings name further files.
 */
export function gitHookState(root: string, home: string): string[] {
  let common: string;
  try {
    [, common] = gitFolders(root);
  } catch {
    return [];
  }
  const settings = (
    [
      ['.git/config', join(common, 'config')],
      ['~/.gitconfig', join(home, '.gitconfig')],
      ['~/.config/git/config', join(home, '.config', 'git', 'config')],
    ] as const
  ).map(([shown, path]) => ({ shown, text: textOf(path) }));
  const named = settings.flatMap(({ shown, text }) => {
    const folder = HOOKS_PATH.exec(text)?.[1];
    return folder === undefined ? [] : [{ shown, folder }];
  });
  const further = settings.some(({ text }) => READS_FURTHER.test(text)) ? folderInFurther(root, home) : [];
  const set = [...named, ...further];
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

/** The folder of hooks that git finds in files which its settings name. */
function folderInFurther(root: string, home: string): { readonly shown: string; readonly folder: string }[] {
  const { stdout, status } = spawnSync('git', ['config', '--show-origin', '--get', 'core.hooksPath'], {
    cwd: root,
    env: { ...gitEnvironment({}), HOME: home },
    encoding: 'utf8',
    timeout: GIT_MS,
  });
  const [origin, folder] = status === 0 ? stdout.trimEnd().split('\t') : [];
  return origin === undefined || folder === undefined
    ? []
    : [{ shown: origin.replace(/^file:/, ''), folder }];
}

function callIn(shown: string, path: string): string[] {
  const text = textOf(path);
  if (!MARK.test(text)) return [];
  const isRun = ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0;
  return [`${shown}: ${isRun ? 'runs' : 'does not run'} ${createHash('sha256').update(text).digest('hex')}`];
}
