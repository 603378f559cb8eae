import { posix } from 'node:path';
import type { RemoteDesk } from '../platform/git/remote.ts';
import { foldPath } from '../workspace/deliver/path-spelling.ts';
import { isNamedTest, isTest } from '../workspace/protect/protected-paths.ts';
import { readManifests } from '../workspace/protect/scripts-and-entries.ts';
import { readerOf } from './commit-reader.ts';
import { isFoundByPlace, type PackageFolder } from './rules/found-by-place.ts';

/**
 * Why one of some new files is not published, as the end of "The patch …": a framework or a host of the repository runs
 * what lies at its place. Undefined if none is such a file.
 */
export async function problemOfPlaces(
  desk: RemoteDesk,
  head: string,
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
  return undefined;
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
