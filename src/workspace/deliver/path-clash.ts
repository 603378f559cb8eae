import { likenessOf, readingsOf } from './look-alikes.ts';

/** A new path, and another path of the tree that it may be taken for. */
export interface PathClash {
  readonly path: string;
  readonly other: string;
}

/**
 * The first of some new paths that is spelled like another path of the tree, or is in a folder that is, but for case,
 * composition, and signs that look alike or are not drawn: some systems keep only one of the two, and people take one for the other.
 * Pairs that neither path is new in do not count.
 */
export function clashIn(added: readonly string[], tree: readonly string[]): PathClash | undefined {
  const spellings = new Map<string, Set<string>>();
  const wanted = new Set(added.flatMap(withFolders).flatMap(spellingsOf));
  for (const part of new Set(tree.flatMap(withFolders)))
    for (const reading of spellingsOf(part))
      if (wanted.has(reading)) spellings.set(reading, (spellings.get(reading) ?? new Set()).add(part));
  for (const path of added)
    for (const part of withFolders(path))
      for (const reading of spellingsOf(part)) {
        const other = [...(spellings.get(reading) ?? [])].find((spelling) => spelling !== part);
        if (other !== undefined) return { path, other };
      }
  return undefined;
}

/** A path and the folders above it. */
function withFolders(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

function spellingsOf(path: string): string[] {
  return [...readingsOf(path), likenessOf(path)];
}
