import { endOf, startOf, type ParsedSource } from '../syntax/parse.ts';
import { sitesOf, type Site } from '../syntax/walk.ts';

/** Returns the smallest site of a file that holds a range of offsets, `end` exclusive. */
export type SiteIndex = (start: number, end: number) => Site;

/** Builds the index of a file. */
export function createSiteIndex(parsed: ParsedSource): SiteIndex {
  const sites = sitesOf(parsed.tree.program);
  const children = Map.groupBy(sites, ({ parent }) => parent);
  const root = sites[0]!;
  return (start, end) => {
    for (let at = root; ;) {
      const inner = children.get(at)?.find(({ node }) => startOf(node) <= start && end <= endOf(node));
      if (inner === undefined) return at;
      at = inner;
    }
  };
}
