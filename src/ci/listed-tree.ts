import { splitNul } from '../platform/git/git.ts';
import type { TreeFile } from '../workspace/snapshots/snapshots.ts';

/** A file of a listed tree. */
export interface ListedFile extends TreeFile {
  /** 0 for a nested repository. */
  readonly bytes: number;
}

/** Modes of files that are neither links nor nested repositories. */
export const PLAIN_MODES: ReadonlySet<string> = new Set(['100644', '100755']);

/** Parses entries `<mode> <type> <id> <bytes>TAB<path>` of `git ls-tree -r -l -z`. */
export function parseTree(listed: Buffer): ListedFile[] {
  return splitNul(listed).flatMap((line) => {
    const [, mode = '', id = '', bytes = '', path = ''] =
      /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(line.toString('utf8')) ?? [];
    return path === '' ? [] : [{ path, mode, id, bytes: Number(bytes) || 0 }];
  });
}
