import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Converts the paths that tools print into paths relative to the tree. */
export interface TreePaths {
  /** Absolute path of the tree. */
  readonly root: string;
  /**
   * Path relative to the root with forward slashes, from an absolute path, a `file:` URL or a path relative to
   * the check's folder; undefined for a path outside the tree.
   */
  relative(path: string): string | undefined;
  /** The text without the tree's absolute path. */
  strip(text: string): string;
}

/** `cwd`: the absolute folder of relative paths. A symlinked root and its real path are both recognised. */
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

/** Vite adds a query to module paths, and `/@fs/` in front of files outside its root. */
function toFilePath(path: string): string {
  const bare = path.replace(/[?#].*$/, '').replace(/^\/@fs\//, '/');
  if (!bare.startsWith('file://')) return bare;
  try {
    return fileURLToPath(bare);
  } catch {
    return bare;
  }
}
