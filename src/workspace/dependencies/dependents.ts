import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import type { DependencyLink, LinkRoots } from './plan.ts';

/** From this number on, copies would cost more than they tell: the packages stay links. */
const MAX_COPIES = 500;
const SECTIONS = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * The links with each installed package that imports a package of the repository itself, directly or through others,
 * as a copy: from its place in the user's tree it would find the user's package and not the workspace's. Commands in
 * `.bin` that lie in such a package link to the copy.
 */
export function copyDependents(roots: LinkRoots, links: readonly DependencyLink[]): DependencyLink[] {
  const copied = dependentsOfOwn(roots, links);
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

/** Paths of the links that an installed package's dependencies resolve to; what it brings itself is left out. */
function needsOf(repository: string, path: string, known: ReadonlySet<string>): string[] {
  return dependenciesOf(join(repository, path, 'package.json'))
    .filter((name) => !existsSync(join(repository, path, 'node_modules', name)))
    .flatMap((name) => placesOf(name, path).find((place) => known.has(place)) ?? []);
}

/** The entries of that name that Node looks for from an installed package, the nearest first. */
function placesOf(name: string, path: string): string[] {
  const places: string[] = [];
  for (let folder = path; folder !== '.';) {
    folder = posix.dirname(folder);
    if (posix.basename(folder) !== 'node_modules') places.push(posix.join(folder, 'node_modules', name));
  }
  return places;
}

/** None where the manifest cannot be read. */
function dependenciesOf(manifest: string): string[] {
  try {
    const json = JSON.parse(readTreeTextSync(manifest)) as Readonly<Record<string, unknown>>;
    return SECTIONS.flatMap((section) => Object.keys(json[section] ?? {}));
  } catch {
    return [];
  }
}
