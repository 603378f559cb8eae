import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { relativeTo } from './manifest.ts';

/** A package's program as installed. */
export interface InstalledTool {
  /** Its entry file, relative to the root; absolute where it is installed above the root. */
  readonly bin: string;
  readonly version: string;
}

/** Programs that are not called like their package. */
const PROGRAM_NAMES: Readonly<Record<string, string>> = { typescript: 'tsc', 'jest-cli': 'jest' };

/**
 * The program of package `name` as Node would resolve it from `dir` (absolute): the nearest
 * node_modules upward, not only up to the root. `undefined` where it is not installed.
 */
export function findTool(name: string, dir: string, root: string): InstalledTool | undefined {
  const packageDir = findInstalled(name, dir);
  if (packageDir === undefined) return undefined;
  const { bin, version } = readPackage(packageDir);
  const entry = typeof bin === 'string' ? bin : bin?.[PROGRAM_NAMES[name] ?? name];
  if (entry === undefined) return undefined;
  const path = join(packageDir, entry);
  const inside = relative(root, path);
  const above = inside.startsWith('..') || isAbsolute(inside);
  return { bin: above ? path : relativeTo(root, path), version: version ?? '0.0.0' };
}

/** Absolute folder of an installed package, looked for from `dir` upward; `undefined` where there is none. */
export function findInstalled(name: string, dir: string): string | undefined {
  for (let at = dir; ; at = dirname(at)) {
    const found = join(at, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (dirname(at) === at) return undefined;
  }
}

interface PackageFields {
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly version?: string;
}

function readPackage(dir: string): PackageFields {
  try {
    return JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as PackageFields;
  } catch {
    return {};
  }
}
