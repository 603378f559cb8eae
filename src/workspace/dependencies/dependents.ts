import { join } from 'node:path';
import { bundledPackages } from './bundled.ts';
import { needsOf } from './needs.ts';
import type { DependencyLink, LinkRoots } from './plan.ts';

/** From this number on, copies would cost more than they tell: the packages stay links. */
const MAX_COPIES = 500;

/**
 * The links with each installed package as a copy that imports a package of the repository itself, directly or through
 * others, since from its place in the user's tree it would find the user's package and not the workspace's, and each that a
 * bundler reads by its place. Commands in `.bin` that lie in such a package link to the copy.
 */
export function copyDependents(
  roots: LinkRoots,
  links: readonly DependencyLink[],
  files: readonly string[],
): DependencyLink[] {
  const copied = new Set([...dependentsOfOwn(roots, links), ...bundledPackages(roots, links, files)]);
  if (copied.size === 0 || copied.size > MAX_COPIES) return [...links];
  const originals = [...copied].map((path) => join(roots.repository, path));
  return links.map((link) => {
    if (copied.has(link.path)) return { ...link, kind: 'folder' };
    const original = originals.find((folder) => link.target.startsWith(`${folder}/`));
    if (original === undefined || link.kind !== 'link') return link;
    return { ...link, target: join(roots.workspace, link.target.slice(roots.repository.length + 1)) };
  });
}

/** Paths of the links whose package reaches a package of the repository. */
function dependentsOfOwn(roots: LinkRoots, links: readonly DependencyLink[]): ReadonlySet<string> {
  const isOwn = ({ target }: DependencyLink): boolean => target.startsWith(`${roots.workspace}/`);
  const reached = new Set(links.filter(isOwn).map(({ path }) => path));
  if (reached.size === 0) return new Set();
  const known = new Set(links.map(({ path }) => path));
  const installed = links
    .filter(({ path, target, kind }) => kind === 'link' && target === join(roots.repository, path))
    .map(({ path }) => ({ path, needs: needsOf(roots.repository, path, known) }));
  const found = new Set<string>();
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { path, needs } of installed) {
      if (found.has(path) || !needs.some((need) => reached.has(need))) continue;
      found.add(path);
      reached.add(path);
    }
  }
  return found;
}
