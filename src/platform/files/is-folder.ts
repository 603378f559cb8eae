import { statSync } from 'node:fs';

/** True for a folder or a symbolic link to one; false if it does not exist or cannot be accessed. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
