import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { scriptNode } from '../../platform/processes/script-node.ts';
import { toolOf, type ToolName } from '../../tools.ts';
import { relativeTo } from './packages/manifest.ts';
import type { PackageContext } from './packages/package-context.ts';

/** A tool as it is installed. */
export interface InstalledTool {
  /** Its entry file: relative to the root, or absolute where it is installed above the root. */
  readonly bin: string;
  readonly version: string;
}

/** Where a tool is started. */
interface StartPlace {
  /** Absolute folder. */
  readonly dir: string;
  /** Absolute folder in whose node_modules a wrapper was seen to start it; absent where nothing was observed. */
  readonly installedIn?: string;
}

/**
 * A tool as Node would resolve it: the one that a wrapper was seen to start, else that in the nearest node_modules
 * upward from the folder, also above the root. Without packages of its own it is the Node of the scripts. `undefined`
 * where the tool is not installed.
 */
export function findInstalledTool(
  tool: ToolName,
  { dir, installedIn }: StartPlace,
  place: PackageContext,
): InstalledTool | undefined {
  const { packages } = toolOf(tool);
  if (packages.length === 0) {
    const { path, version } = scriptNode();
    return { bin: path, version };
  }
  // A script may change to another folder and still run the tools of its own package.
  const folders = [dir, place.dir];
  const usual = packages
    .flatMap((name) => folders.map((folder) => readInstalled(name, tool, { from: folder, root: place.root })))
    .find((found) => found !== undefined);
  if (installedIn === undefined) return usual;
  // A wrapper may bring a version of its own, below its own folder.
  const own = packages
    .map((name) => readInstalled(name, tool, { from: installedIn, root: place.root }))
    .find((found) => found !== undefined);
  return own === undefined || isSameFile(own, usual, place.root) ? usual : own;
}

function isSameFile(one: InstalledTool, other: InstalledTool | undefined, root: string): boolean {
  return other !== undefined && realPath(resolve(root, one.bin)) === realPath(resolve(root, other.bin));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Absolute folder of an installed package, looked for from `dir` upward; `undefined` where there is none. */
export function findInstalledPackage(name: string, dir: string): string | undefined {
  for (let at = dir; ; at = dirname(at)) {
    const found = join(at, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (dirname(at) === at) return undefined;
  }
}

/** Version of the package that is installed for code in `dir` (absolute); undefined where there is none. */
export function readPackageVersion(name: string, dir: string): string | undefined {
  const packageDir = findInstalledPackage(name, dir);
  return packageDir === undefined ? undefined : readPackage(packageDir).version;
}

function readInstalled(
  packageName: string,
  program: string,
  { from, root }: { readonly from: string; readonly root: string },
): InstalledTool | undefined {
  const packageDir = findInstalledPackage(packageName, from);
  if (packageDir === undefined) return undefined;
  const { bin, version } = readPackage(packageDir);
  const entry = typeof bin === 'string' ? bin : bin?.[program];
  if (entry === undefined) return undefined;
  const path = join(packageDir, entry);
  const inside = relative(root, path);
  const isAbove = inside.startsWith('..') || isAbsolute(inside);
  return { bin: isAbove ? path : relativeTo(root, path), version: version ?? '0.0.0' };
}

interface PackageFields {
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly version?: string;
}

function readPackage(dir: string): PackageFields {
  try {
    return JSON.parse(readTreeTextSync(join(dir, 'package.json'))) as PackageFields;
  } catch {
    return {};
  }
}
