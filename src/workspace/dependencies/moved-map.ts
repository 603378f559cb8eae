import { dirname, posix, relative, resolve } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';

/** A place that Plug'n'Play names relative to its own folder, outside of it: packages in a cache of all projects. */
const OUTSIDE = /("packageLocation": ")(\.\.\/[^"\\]*)(")/g;

/**
 * The map of Yarn's Plug'n'Play for a copy in another folder. A link would not do: the map knows only files beside its
 * real place, so no file of the copy would find its packages.
 */
export function movedMap(from: string, to: string): string {
  return readTreeTextSync(from).replace(OUTSIDE, (_, before: string, place: string, after: string) => {
    const moved = relative(dirname(to), resolve(dirname(from), place));
    return before + posix.join(moved, place.endsWith('/') ? '/' : '') + after;
  });
}
