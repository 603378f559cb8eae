import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import { git, splitNul } from '../../platform/git/git.ts';
import { dependencyFolders } from '../../workspace/dependencies/plan.ts';

/**
 * Throws RalphError `no_dependencies` if an entry of `node_modules` leads out of the checkout, as `"x": "file:/srv/other"` in a
 * package.json makes one: what installed packages link to is opened to the loop, and a job must not name folders of the worker.
 */
export async function requireOwnPackages(checkout: string): Promise<void> {
  const root = realpathSync(checkout);
  const files = splitNul(await git(['ls-files', '-z'], { cwd: root })).map((path) => path.toString('utf8'));
  for (const entry of dependencyFolders(root, files).flatMap((folder) => entriesOf(root, folder))) {
    const target = targetOf(join(root, entry));
    if (target === undefined || !isOutside(root, target)) continue;
    throw new RalphError(`${entry} leads to ${target}, which is outside of the repository.`, {
      code: 'no_dependencies',
      exitCode: ExitCode.workspace,
      hint: 'A job sees nothing else of the machine of its worker. Move the package into the repository, or publish it.',
    });
  }
}

/** The folder itself, its entries, and those of scopes and of hidden folders. */
function entriesOf(root: string, folder: string): string[] {
  const entries = namesIn(root, folder);
  const groups = entries.filter((path) => /^[@.]/.test(posix.basename(path)));
  return [folder, ...entries, ...groups.flatMap((group) => namesIn(root, group))];
}

function namesIn(root: string, folder: string): string[] {
  try {
    if (!lstatSync(join(root, folder)).isDirectory()) return [];
    return readdirSync(join(root, folder)).map((name) => posix.join(folder, name));
  } catch {
    return [];
  }
}

/** The real path of a symbolic link; undefined for what is none, and for one that leads nowhere. */
function targetOf(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function isOutside(root: string, path: string): boolean {
  return relative(root, path).split(sep)[0] === '..';
}
