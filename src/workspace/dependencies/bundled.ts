import { join, posix } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import { needsOf } from './needs.ts';
import type { DependencyLink, LinkRoots } from './plan.ts';

const BUNDLER_CONFIG = /(^|\/)(rollup|rolldown|vite)(\.[\w-]+)*\.config(\.[\w-]+)*\.[cm]?[jt]s$/;
/** An option of a plugin that takes files of `node_modules` in the working directory, as `commonjs({ include: 'node_modules/**' })`. */
const TAKES_PACKAGES = /\binclude\s*:\s*\[?\s*(['"`])(\.\/)?node_modules\//;
const SOURCE = /\.[cm]?[jt]sx?$/;
/** Files that no bundle contains: Node reads their imports from their real places. */
const NOT_BUNDLED =
  /(^|\/)(node_modules|tests?(-\w+)?|__tests__|spec|fixtures|examples?|bench\w*|scripts?)\/|\.(test|spec|config|d)\.\w+$/;
const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"`]((?:@[\w.-]+\/)?[\w.-]+)/g;

/**
 * Paths of the links whose package a bundler reads by its place: a pattern such as `node_modules/**` is resolved against the
 * working directory, and the real path of a linked package does not match it. They are the packages that files beside such a
 * configuration import, with everything that these depend on.
 */
export function bundledPackages(
  { repository, workspace }: LinkRoots,
  links: readonly DependencyLink[],
  files: readonly string[],
): ReadonlySet<string> {
  const folders = files
    .filter((file) => BUNDLER_CONFIG.test(file) && TAKES_PACKAGES.test(textOf(join(workspace, file))))
    .map((file) => posix.dirname(file));
  const found = new Set<string>();
  for (const folder of new Set(folders)) {
    const modules = posix.join(folder, 'node_modules');
    const inPlace = links.filter(
      ({ path, target, kind }) =>
        kind === 'link' && path.startsWith(`${modules}/`) && target === join(repository, path),
    );
    const known = new Set(inPlace.map(({ path }) => path));
    const reached = importedIn(workspace, folder, files).map((name) => posix.join(modules, name));
    for (let path = reached.pop(); path !== undefined; path = reached.pop()) {
      if (!known.has(path) || found.has(path)) continue;
      found.add(path);
      reached.push(...needsOf(repository, path, known));
    }
  }
  return found;
}

/** Names of the packages that source files below a folder import. */
function importedIn(root: string, folder: string, files: readonly string[]): string[] {
  const own = files.filter(
    (file) =>
      SOURCE.test(file) && !NOT_BUNDLED.test(file) && (folder === '.' || file.startsWith(`${folder}/`)),
  );
  const names = own.flatMap((file) =>
    [...textOf(join(root, file)).matchAll(IMPORT)].map(([, name]) => name!),
  );
  return [...new Set(names)];
}
