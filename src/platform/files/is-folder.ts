import { statSync } from 'node:fs';

/** True for a folder, also behind a symbolic link; false where there is none or the system does not show it. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
