import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseTsconfig, type TsConfigJsonResolved } from 'get-tsconfig';

/**
 * A tsconfig file (absolute path) with everything that it inherits by `extends`; `references` are never inherited.
 * Undefined where the file, or one that it extends, cannot be read.
 */
export function readTsconfig(path: string): TsConfigJsonResolved | undefined {
  try {
    return parseTsconfig(path);
  } catch {
    return undefined;
  }
}

/** The file of a project that is named by its file or by its folder (absolute paths). */
export function tsconfigPath(project: string): string {
  const isFolder = statSync(project, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? join(project, 'tsconfig.json') : project;
}
