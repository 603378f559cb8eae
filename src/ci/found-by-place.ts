import { posix } from 'node:path';
import type { RemoteDesk } from '../platform/git/remote.ts';
import { escapeRegExp } from '../platform/text/escape-regexp.ts';
import { foldPath } from '../workspace/deliver/path-spelling.ts';
import { isNamedTest, isTest } from '../workspace/protect/protected-paths.ts';
import { readManifests } from '../workspace/protect/scripts-and-entries.ts';
import { readerOf } from './commit-reader.ts';
import { isFoundByPlace, type PackageFolder } from './rules/found-by-place.ts';

/** Programs and pages: what a tool that finds one would run. */
const PROGRAM =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|html?|svg|py|rb|go|rs|php|java|kts?|scala|cs|fs|swift|sh|pl|lua|exs?|clj|sql|gd)$/;
/** Folders whose files are read by people, and need no other file that names them. */
const FOR_PEOPLE = /(?:^|\/)(?:examples?|docs?|demos?|bench(?:marks?)?)\//;

/**
 * Why one of some new files is not published, as the end of "The patch …": a framework or a host of the repository runs
 * what lies at its place, or nothing names it, so that only a tool that finds it by its place or name can run it.
 * Undefined if none is such a file.
 */
export async function problemOfPlaces(
  desk: RemoteDesk,
  { head, commit }: { readonly head: string; readonly commit: string },
  added: readonly string[],
): Promise<string | undefined> {
  const suspects = added.filter((path) => !isTest(path) && !isNamedTest(path));
  if (suspects.length === 0) return undefined;
  const reader = readerOf(desk, head);
  const files = new Map((await reader.listFiles(head)).map((file) => [file.path, file]));
  const manifests = await readManifests(files, reader);
  const names = namesByFolder([...files.keys()]);
  for (const path of suspects) {
    const above = foldersAbove(path);
    const folders = above.map((folder, depth): PackageFolder => {
      const isPackage = manifests.has(folder);
      const around = isPackage ? above.slice(0, depth + 1) : [];
      return {
        folder: foldPath(folder),
        dependencies: around.flatMap((it) => manifests.get(it)?.dependencies ?? []).map(foldPath),
        names: [...(names.get(folder) ?? [])].map(foldPath),
      };
    });
    if (!isFoundByPlace(foldPath(path), folders)) continue;
    const shown = JSON.stringify(path);
    return `adds ${shown}, which a framework or a host of the repository finds by its place and runs; --allow ${shown} permits it`;
  }
  for (const path of suspects) {
    if (!isProgram(path) || (await isNamed(desk, commit, path))) continue;
    const shown = JSON.stringify(path);
    return `adds ${shown}, which nothing in the repository names, so that only a tool which finds it by its place can run it; --allow ${shown} permits it`;
  }
  return undefined;
}

function isProgram(path: string): boolean {
  return PROGRAM.test(path) && !/\.d\.[cm]?ts$/.test(path) && !FOR_PEOPLE.test(path);
}

/** True if another file of the commit has the name of a file, or of its folder for an index, as a word of a path. */
async function isNamed(desk: RemoteDesk, commit: string, path: string): Promise<boolean> {
  const stem = posix.basename(path).replace(/\.[^.]*$/, '');
  const name = /^(?:index|mod|main|__init__)$/.test(stem) ? posix.basename(posix.dirname(path)) : stem;
  const found = await desk.run([
    ...['grep', '--quiet', '--extended-regexp', '-e'],
    `(^|["'\`/(<> .])${escapeRegExp(name)}(/(index|mod|main|__init__))?(\\.[a-z]+)?/?($|["'\`)<> ,;:])`,
    ...[commit, '--', `:(exclude,literal)${path}`],
  ]);
  return found.exitCode === 0;
}

/** Names of the files and folders in every folder. */
function namesByFolder(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const path of paths) {
    let at = path;
    while (at !== '.') {
      const folder = posix.dirname(at);
      const known = names.get(folder) ?? new Set();
      names.set(folder, known);
      if (known.has(posix.basename(at))) break;
      known.add(posix.basename(at));
      at = folder;
    }
  }
  return names;
}

/** The root and every folder on the way to a file. */
function foldersAbove(path: string): readonly string[] {
  const parts = posix.dirname(path).split('/');
  return parts[0] === '.' ? ['.'] : ['.', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))];
}
