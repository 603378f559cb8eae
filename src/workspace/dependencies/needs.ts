import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';

const SECTIONS = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/** Paths of the links that an installed package's dependencies resolve to; what it brings itself is left out. */
export function needsOf(repository: string, path: string, known: ReadonlySet<string>): string[] {
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
