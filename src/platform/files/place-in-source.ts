import { posix } from 'node:path';
import { originalPlace } from '../text/source-map.ts';
import { linesInTree } from './lines-in-tree.ts';

/** A place in a file of a tree; line and column are 1-based. */
interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

/**
 * The place of the source that a place in a built file comes from, by the map beside it, which a build overwrites with the file.
 * Undefined for a file without a map, and where the source is not in the tree.
 */
export function placeInSource(
  root: string,
  { file, line, column }: SourcePlace & { readonly column?: number | undefined },
): SourcePlace | undefined {
  if (!/\.[cm]?js$/.test(file)) return undefined;
  const map = linesInTree(root, `${file}.map`)?.join('\n');
  const found = map === undefined ? undefined : originalPlace(map, line, column);
  if (found === undefined) return undefined;
  const source = posix.join(posix.dirname(file), found.source);
  const { length = 0 } = source.startsWith('..') ? [] : (linesInTree(root, source) ?? []);
  return found.line <= length ? { file: source, line: found.line } : undefined;
}
