import { join, posix } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { ChangedSources } from '../base-sources.ts';
import { manifestOf } from './package-imports.ts';
import { publishedFolder } from './published-folder.ts';

/** Scripts that npm runs before it packs a package. */
const BEFORE_PACKING = ['prepublishOnly', 'prepare', 'prepack'];
/** Scripts that people run to build. */
const BUILDING = ['build', 'compile', 'bundle'];
const BUILT = /^(?:dist|build|out)$/;
const SCRIPT_CALL = /\b(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?(?:--?\S+\s+)*([\w:.-]+)/g;

/**
 * A sentence on a change of nothing but files that a script writes anew, from sources that are as before: once it has run, as before
 * the package is packed, users get what the base had. Undefined if there is none.
 */
export function findRebuilt({ request: { root }, sources }: ChangedSources): string | undefined {
  const [first] = sources;
  if (first === undefined) return undefined;
  const folder = publishedFolder(first, root);
  if (folder === undefined) return undefined;
  const [built = ''] = posix.relative(folder, first).split('/');
  if (!BUILT.test(built) || !sources.every((it) => it.startsWith(posix.join(folder, built, '/'))))
    return undefined;
  const scripts = (manifestOf(root, folder)['scripts'] ?? {}) as Readonly<Record<string, unknown>>;
  const writes = (name: string): boolean =>
    namesFolder(String(scripts[name] ?? ''), built, { scripts, path: join(root, folder) });
  const packing = BEFORE_PACKING.find(writes);
  const script = packing ?? BUILDING.find(writes);
  if (script === undefined) return undefined;
  const [when, who] =
    packing === undefined ? ['', 'the next build leaves'] : [' before the package is packed', 'users get'];
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
