import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { homeFolder } from '../../platform/processes/own-user.ts';
import { userGit } from '../../platform/git/user-git.ts';

const INCLUDE = /^include(if\..*)?\.path$/s;
const HOOKS = 'core.hookspath';
/** Husky keeps its own scripts in `.husky/_`; these run the hooks in the folder above. */
const HUSKY_SCRIPTS = '_';

/**
 * Paths of the tree that the user's git configuration includes, takes hooks from, or names in a value, such as a filter
 * or a signing program; the user's next git command would run them outside the sandbox. Relative to the root, each with a
 * leading slash; they need not exist. `root` is absolute and real. Empty if git cannot read its configuration.
 */
export async function namedByGitSettings(root: string): Promise<readonly string[]> {
  const answer = await userGit({ cwd: root }, (git) =>
    git.raw(['config', '--list', '--includes', '--show-origin', '-z']),
  );
  if (!answer.ok) return [];
  const found = parseSettings(answer.value, root).flatMap((setting) => placesIn(setting, root));
  const inside = found.map((path) => relative(root, path)).filter(isInTree);
  return [...new Set(inside)].map((path) => `/${path.split(sep).join('/')}`);
}

interface Setting {
  /** Absolute path of the file that sets it; undefined for the command line. */
  readonly origin: string | undefined;
  /** Section and name in lower case. */
  readonly key: string;
  readonly value: string;
}

/** Alternating origins and `key\nvalue` (git-config(1), `--show-origin` and `-z`). */
function parseSettings(listing: string, root: string): Setting[] {
  const items = listing.split('\0');
  const settings: Setting[] = [];
  for (let at = 0; at + 1 < items.length; at += 2) {
    const file = /^file:(.*)$/s.exec(items[at]!)?.[1];
    const [key = '', ...value] = items[at + 1]!.split('\n');
    settings.push({
      origin: file === undefined ? undefined : resolve(root, file),
      key: key.toLowerCase(),
      value: value.join('\n'),
    });
  }
  return settings;
}

/** Absolute paths that one setting refers to. */
function placesIn({ origin, key, value }: Setting, root: string): string[] {
  const own = origin === undefined ? [] : [origin];
  if (INCLUDE.test(key)) return [...own, resolve(dirname(origin ?? root), expandHome(value))];
  if (key !== HOOKS) return [...own, ...filesIn(value, root)];
  const folder = resolve(root, expandHome(value));
  return basename(folder) === HUSKY_SCRIPTS ? [...own, dirname(folder)] : [...own, folder];
}

/** Existing files that the words of a value name. */
function filesIn(value: string, root: string): string[] {
  const words = value.split(/[\s'"`;&|()<>=!]+/).filter((word) => word !== '');
  return words.map((word) => resolve(root, expandHome(word))).filter(isFile);
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

function expandHome(path: string): string {
  return path.startsWith('~/') ? join(homeFolder() ?? '~', path.slice(2)) : path;
}

/** False for the root itself, for git's own folder, and for paths outside. */
function isInTree(path: string): boolean {
  const [first = ''] = path.split(sep);
  return first !== '' && first !== '..' && first !== '.git' && !isAbsolute(path);
}
