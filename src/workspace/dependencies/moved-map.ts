import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';

/** A place that Plug'n'Play names relative to its own folder, outside of it: packages in a cache of all projects. */
const OUTSIDE = /("packageLocation": ")(\.\.\/[^"\\]*)(")/g;
/**
 * A package with peer dependencies of its own: `.yarn/__virtual__/NAME/4/root/.yarn/berry/…` is four folders above `.yarn`,
 * and from there `root/.yarn/berry/…`.
 */
const VIRTUAL = /("packageLocation": "\.\/)((?:[^"\\]*\/)?)(__virtual__\/[^/"]+\/)(\d+)\/([^"\\]*?)(\/?")/g;

/**
 * The map of Yarn's Plug'n'Play for a copy in another folder. A link would not do: the map knows only files beside its
 * real place, so no file of the copy would find its packages.
 */
export function movedMap(from: string, to: string): string {
  const [old, own] = [dirname(from), dirname(to)];
  return readTreeTextSync(from)
    .replace(OUTSIDE, (_, before: string, place: string, after: string) => {
      const moved = relative(own, resolve(old, place));
      return before + posix.join(moved, place.endsWith('/') ? '/' : '') + after;
    })
    .replace(VIRTUAL, (whole, ...parts: string[]) => {
      const [before, folder, name, depth, rest, end] = parts as [
        string,
        string,
        string,
        string,
        string,
        string,
      ];
      const start = join(old, folder, '../'.repeat(Number(depth)));
      if (!relative(old, start).startsWith('..')) return whole;
      const way = relative(join(own, folder), join(start, rest)).split(sep);
      const up = way.lastIndexOf('..') + 1;
      return `${before}${folder}${name}${up}/${way.slice(up).join('/')}${end}`;
    });
}
