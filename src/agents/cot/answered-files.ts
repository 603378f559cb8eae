import { join, normalize } from 'node:path/posix';
import { placeOf, type Place } from '../tools/paths.ts';
import { readTextFile } from '../tools/text-file.ts';

/** The repository as far as an answer is read by it. */
export interface AnsweredFiles {
  /** The path, relative to the root, that a path as written means. */
  pathOf(written: string): string;
  /** Undefined where there is no such text file. */
  textOf(path: string): string | undefined;
}

/** The files of a workspace; what leads out of it, is binary or too large has no text. */
export function createAnsweredFiles(root: string, packageDir: string): AnsweredFiles {
  const textOf = (path: string): string | undefined => {
    try {
      return readTextFile(placeIn(root, path)).text;
    } catch {
      return undefined;
    }
  };
  const isThere = (path: string): boolean => {
    try {
      return placeIn(root, path).exists;
    } catch {
      return false;
    }
  };
  return {
    textOf,
    // Shown paths are the repository's; a model that was told of one package may leave its folder out.
    pathOf(written) {
      const path = normalize(written);
      const bare = path.replace(/^\/+/, '');
      return [path, bare, join(packageDir, bare)].find(isThere) ?? path;
    },
  };
}

function placeIn(root: string, path: string): Place {
  return placeOf(path, 'write', { root, cwd: '.' });
}
