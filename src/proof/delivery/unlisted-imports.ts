import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import type { ChangedSources } from '../base-sources.ts';
import { importedNames, namedFiles, typedFile, unarchivedFile, unresolvedFile } from './package-imports.ts';
import { packPackage, unpackedFile, type PackedPackage } from './packed-package.ts';
import { textOf } from '../../platform/files/text-of.ts';

const LISTS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies', 'imports'];

/** Changed sources, and the place where they were edited. */
export interface EditedSources extends ChangedSources {
  /** Absolute path of the tree with the files that git ignores. */
  readonly editedRoot: string;
}

/**
 * A sentence on a new import of a changed source that the user does not get: of an installed package that no package.json
 * lists, of a file that git or the package leaves out, or of one that Node does not resolve; or on a file that it newly
 * names to read it, and that is left out. Undefined if there is none.
 */
export async function findUnlistedImport({
  request: { root },
  sources,
  baseText,
  editedRoot,
}: EditedSources): Promise<string | undefined> {
  const packages = new Map<string, Promise<PackedPackage | undefined>>();
  const packageOf = (folder: string): Promise<PackedPackage | undefined> => {
    const packed = packages.get(folder) ?? packPackage(folder, root);
    packages.set(folder, packed);
    return packed;
  };
  for (const source of sources) {
    const before = (await baseText(source)) ?? '';
    const known = new Set(importedNames(before));
    for (const name of importedNames(textOf(join(root, source))).filter((it) => !known.has(it))) {
      const problem = name.startsWith('.')
        ? (undeliveredFile(name, { source, root, editedRoot }) ??
          typedFile(name, { source, root, known: [...known] }) ??
          (await unarchivedFile(name, source, root)) ??
          (await unpackedFile({ name, source, root, packageOf })) ??
          unresolvedFile(name, { source, root, known: [...known] }))
        : unlistedPackage(name, source, root);
      if (problem !== undefined) return `${problem} --allow ${source} permits it.`;
    }
    const named = new Set(namedFiles(before));
    for (const name of namedFiles(textOf(join(root, source))).filter((it) => !named.has(it))) {
      const problem =
        undeliveredFile(name, { source, root, editedRoot }) ??
        (await unarchivedFile(name, source, root)) ??
        (await unpackedFile({ name, source, root, packageOf }));
      if (problem !== undefined)
        return `${problem.replace(' imports ', ' names ')} --allow ${source} permits it.`;
    }
  }
  return undefined;
}

function undeliveredFile(
  name: string,
  {
    source,
    root,
    editedRoot,
  }: { readonly source: string; readonly root: string; readonly editedRoot: string },
): string | undefined {
  const path = posix.join(posix.dirname(source), name);
  const isMissing =
    root !== editedRoot && existsSync(join(editedRoot, path)) && !existsSync(join(root, path));
  return isMissing
    ? `${source} imports ${path}, which git ignores, so that it is not delivered. Move it to a folder that git tracks.`
    : undefined;
}

/** Only for a package that is installed at the root: names that a bundler or TypeScript maps are no packages. */
function unlistedPackage(name: string, source: string, root: string): string | undefined {
  if (isBuiltin(name) || /^[#/~]|^\w+:/.test(name)) return undefined;
  const own = name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
  if (!existsSync(join(root, 'node_modules', own, 'package.json'))) return undefined;
  for (let folder = posix.dirname(source); ; folder = posix.dirname(folder)) {
    if (isListed(own, textOf(join(root, folder, 'package.json')))) return undefined;
    if (folder === '.' || folder === '/') break;
  }
  return `${source} imports ${own}, which is installed, but which no package.json lists: users of the change do not get it. Add it to the dependencies (--allow package.json), or do without it.`;
}

function isListed(name: string, manifest: string): boolean {
  try {
    const read = JSON.parse(manifest) as Record<string, unknown>;
    const lists = LISTS.flatMap((key) => Object.keys((read[key] as object | undefined) ?? {}));
    return read['name'] === name || lists.includes(name) || lists.includes(`@types/${name}`);
  } catch {
    return false;
  }
}
