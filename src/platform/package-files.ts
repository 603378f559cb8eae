import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Absolute path of ralph's own package: the nearest folder above this module that holds a package.json. */
export const PACKAGE_ROOT = packageRootAbove(import.meta.dirname);

/** False in the built program, which runs from `dist`. */
export const RUNS_FROM_SOURCE = import.meta.filename.endsWith('.ts');

/** Absolute path of a file of the package: `packageFile('schemas', 'config.schema.json')`. */
export function packageFile(...names: readonly string[]): string {
  return join(PACKAGE_ROOT, ...names);
}

/**
 * Absolute path of a module that runs in a process or worker of its own, in `src` or in `dist` like this module:
 * `programFile('repair/trial/runtime')`.
 */
export function programFile(module: string): string {
  return RUNS_FROM_SOURCE ? packageFile('src', `${module}.ts`) : packageFile('dist', `${module}.js`);
}

function packageRootAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`No package.json above ${import.meta.dirname}.`);
  return packageRootAbove(parent);
}
