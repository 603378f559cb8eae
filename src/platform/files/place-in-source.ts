import { posix } from 'node:path';
import { LEAST_UPPER_BOUND, originalPositionFor, TraceMap, type Needle } from '@jridgewell/trace-mapping';
import { linesInTree } from './lines-in-tree.ts';

/** A place in a file of a tree; line and column are 1-based. */
interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

type BuiltPlace = SourcePlace & { readonly column?: number | undefined };

/**
 * The place of the source that a place in a built file comes from, by the map beside it, which a build overwrites with the file;
 * of a line without a column that of its first mapped code. Undefined for a file without a map, and where the source is not in
 * the tree.
 */
export function placeInSource(root: string, { file, line, column }: BuiltPlace): SourcePlace | undefined {
  if (!/\.[cm]?js$/.test(file)) return undefined;
  const map = linesInTree(root, `${file}.map`)?.join('\n');
  const found = map === undefined ? undefined : originalPlace(map, line, column);
  if (found === undefined) return undefined;
  const source = posix.join(posix.dirname(file), found.file);
  const { length = 0 } = source.startsWith('..') ? [] : (linesInTree(root, source) ?? []);
  return found.line <= length ? { file: source, line: found.line } : undefined;
}

function originalPlace(map: string, line: number, column: number | undefined): SourcePlace | undefined {
  try {
    const at: Pick<Needle, 'column' | 'bias'> =
      column === undefined ? { column: 0, bias: LEAST_UPPER_BOUND } : { column: column - 1 };
    const found = originalPositionFor(new TraceMap(map), { line, ...at });
    return found.source === null ? undefined : { file: found.source, line: found.line };
  } catch {
    // What the build wrote is no source map.
    return undefined;
  }
}
