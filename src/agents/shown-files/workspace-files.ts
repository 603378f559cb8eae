import { join, normalize } from 'node:path/posix';
import { placeOf, type Place } from '../tools/paths.ts';
import { readTextFile } from '../tools/text-file.ts';

/** Access to the workspace for parsing an answer. */
export interface WorkspaceFiles {
  /** The path relative to the root for a path as the model wrote it. */
  resolvePath(written: string): string;
  /** The text of a file; undefined if it is missing or not a text file. */
  readText(path: string): string | undefined;
}

/** Files outside of the workspace, binary files and too large files have no text. */
export function createWorkspaceFiles(root: string, packageDir: string): WorkspaceFiles {
  const readText = (path: string): string | undefined => {
    try {
      return readTextFile(placeIn(root, path)).text;
    } catch {
      return undefined;
    }
  };
  const exists = (path: string): boolean => {
    try {
      return placeIn(root, path).exists;
    } catch {
      return false;
    }
  };
  return {
    readText,
    // The prompt shows paths from the root; a model may write them from the package folder.
    resolvePath(written) {
      const path = normalize(written);
      const bare = path.replace(/^\/+/, '');
      return [path, bare, join(packageDir, bare)].find(exists) ?? path;
    },
  };
}

function placeIn(root: string, path: string): Place {
  return placeOf(path, 'write', { root, cwd: '.' });
}
