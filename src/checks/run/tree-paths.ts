import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Turns the paths that tools print into paths of the repository. */
export interface TreePaths {
  /** Absolute path of the tree, as it was given. */
  readonly root: string;
  /**
   * Path relative to the root with forward slashes, from an absolute path, a `file:` URL or a path relative to
   * the check's folder; undefined for what lies outside the tree.
   */
  relative(path: string): string | undefined;
  /** The text with the tree's absolute path taken out of it. */
  strip(text: string): string;
}

/** `cwd` is the absolute folder that relative paths are resolved in; symlinked roots are seen through. */
export function createTreePaths(root: string, cwd: string): TreePaths {
  const roots = [...new Set([root, realpathOf(root)])].sort((a, b) => b.length - a.length);
  return {
    root,
    relative(path) {
      const absolute = resolve(cwd, toFilePath(path));
      for (const candidate of roots) {
        const inside = relative(candidate, absolute);
        if (inside !== '' && !isOutside(inside)) return inside.split(sep).join('/');
      }
      return undefined;
    },
    strip: (text) =>
      roots.reduce(
        (rest, candidate) => rest.replaceAll(`file://${candidate}/`, '').replaceAll(`${candidate}/`, ''),
        text,
      ),
  };
}

function isOutside(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}

function realpathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Vite adds a query to module paths and serves files outside its root below `/@fs/`. */
function toFilePath(path: string): string {
  const bare = path.replace(/[?#].*$/, '').replace(/^\/@fs\//, '/');
  if (!bare.startsWith('file://')) return bare;
  try {
    return fileURLToPath(bare);
  } catch {
    return bare;
  }
}
