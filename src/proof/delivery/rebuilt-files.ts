import { join, posix } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { ChangedSources } from '../base-sources.ts';
import { folderOfPackage, manifestOf } from './package-imports.ts';
import { publishedFolder } from './published-folder.ts';

/** Scripts that npm runs before it packs a package. */
const BEFORE_PACKING = ['prepublishOnly', 'prepare', 'prepack'];
/** Scripts that people run to build. */
export const BUILDING = ['build', 'compile', 'bundle'];
const BUILT = /^(?:dist|build|out)$/;
const SCRIPT_CALL = /\b(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?(?:--?\S+\s+)*([\w:.-]+)/g;

/** A folder of files that a script writes anew. */
export interface BuiltFolder {
  /** Folder of the package, relative to the root. */
  readonly folder: string;
  /** The folder of the files, relative to that of the package. */
  readonly built: string;
  /** Name of the script, one that npm runs before it packs the package first. */
  readonly script: string;
}

/** The built folder that a file lies in, and what writes it; undefined for a file that no known script writes. */
export function builtFolderOf(
  file: string,
  root: string,
  scripts: readonly string[],
): BuiltFolder | undefined {
  const folder = folderOfPackage(file, root);
  const [built = ''] = folder === undefined ? [] : posix.relative(folder, file).split('/');
  if (folder === undefined || !BUILT.test(built)) return undefined;
  const own = (manifestOf(root, folder)['scripts'] ?? {}) as Readonly<Record<string, unknown>>;
  const script = scripts.find((name) =>
    namesFolder(String(own[name] ?? ''), built, { scripts: own, path: join(root, folder) }),
  );
  return script === undefined ? undefined : { folder, built, script };
}

/**
 * A sentence on a change of nothing but files that a script writes anew, from sources that are as before: once it has run, as before
 * the package is packed, users get what the base had. Undefined if there is none.
 */
export function findRebuilt({ request: { root }, sources }: ChangedSources): string | undefined {
  const [first] = sources;
  if (first === undefined || publishedFolder(first, root) === undefined) return undefined;
  const found = builtFolderOf(first, root, [...BEFORE_PACKING, ...BUILDING]);
  if (found === undefined) return undefined;
  const { folder, built, script } = found;
  if (!sources.every((it) => it.startsWith(posix.join(folder, built, '/')))) return undefined;
  const [when, who] = BEFORE_PACKING.includes(script)
    ? [' before the package is packed', 'users get']
    : ['', 'the next build leaves'];
  return `${first} is changed, and no source outside of ${built}: the script "${script}" writes that folder anew${when}, so that ${who} what it is built from, which is as before. Change that and build it; if no build writes the file, --allow ${first} permits it.`;
}

interface Package {
  readonly scripts: Readonly<Record<string, unknown>>;
  /** Absolute path of its folder. */
  readonly path: string;
}

/** Whether a script, one that it calls, or a program that it runs, names a folder. */
function namesFolder(text: string, built: string, of: Package, depth = 0): boolean {
  if (depth > 4) return false;
  const named = new RegExp(`(?:^|[\\s/"'\`=.])${built}(?:[\\s/"'\`]|$)`);
  if (named.test(text.replaceAll(SCRIPT_CALL, ' '))) return true;
  const programs = text.match(/[\w./-]+\.[cm]?[jt]s\b/g) ?? [];
  return (
    programs.some((name) => named.test(textOf(join(of.path, name)))) ||
    [...text.matchAll(SCRIPT_CALL)].some(([, name]) =>
      namesFolder(String(of.scripts[name!] ?? ''), built, of, depth + 1),
    )
  );
}
