import { join, posix } from 'node:path';
import packlist from 'npm-packlist';
import { folderOfPackage, foundFile, manifestOf } from './package-imports.ts';

/** A package as `npm pack` would make it of a folder. */
export interface PackedPackage {
  readonly name: string;
  /** Relative to the root. */
  readonly folder: string;
  /** Relative to the folder. */
  readonly files: readonly string[];
  /** Names of the packages that users get with it. */
  readonly dependencies: readonly string[];
  /** True if a script may make files of the package anew before it is packed. */
  readonly isBuilt: boolean;
}

const GIVEN = ['dependencies', 'peerDependencies', 'optionalDependencies'];
const BUILDING = /^(?:build|compile|bundle|dist|prepare|prepack|prepublish)/;

/** Undefined if the folder cannot be packed, or brings its dependencies along (`bundleDependencies`). */
export async function packPackage(folder: string, root: string): Promise<PackedPackage | undefined> {
  const manifest = manifestOf(root, folder);
  const { name, scripts, bundleDependencies, bundledDependencies } = manifest;
  if (typeof name !== 'string' || bundleDependencies !== undefined || bundledDependencies !== undefined)
    return undefined;
  try {
    const path = join(root, folder);
    const files = await packlist({
      path,
      package: manifest,
      isProjectRoot: true,
      edgesOut: new Map<string, never>(),
    });
    const dependencies = GIVEN.flatMap((key) => keysOf(manifest[key]));
    return { name, folder, files, dependencies, isBuilt: keysOf(scripts).some((it) => BUILDING.test(it)) };
  } catch {
    return undefined;
  }
}

/** An import of a source, and the packages of the tree by their folders. */
export interface PackedImport {
  readonly name: string;
  readonly source: string;
  /** Absolute path of the tree. */
  readonly root: string;
  readonly packageOf: (folder: string) => Promise<PackedPackage | undefined>;
}

/** A file that npm does not pack, while the importing source is in the package. */
export async function unpackedFile({
  name,
  source,
  root,
  packageOf,
}: PackedImport): Promise<string | undefined> {
  const folder = folderOfPackage(source, root);
  const path = foundFile(root, posix.join(posix.dirname(source), name));
  if (folder === undefined || path === undefined || path.startsWith('../')) return undefined;
  if (manifestOf(root, folder)['private'] === true) return undefined;
  const files = (await packageOf(folder))?.files ?? [];
  const [own, imported] = [source, path].map((it) => posix.relative(folder, it));
  return files.includes(own!) && !files.includes(imported!)
    ? `${source} imports ${path}, which the package does not deliver: "files" of package.json, an ignore file, its name or its kind leaves it out. Move it, or add it (--allow package.json).`
    : undefined;
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
