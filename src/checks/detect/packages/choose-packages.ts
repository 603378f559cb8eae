import { join } from 'node:path';
import { usageError } from '../../../errors.ts';
import { foldersUpTo, readManifest, relativeTo } from './manifest.ts';
import { workspacePackages } from './workspaces.ts';

/** The package where the user stands, and the `packages` setting. */
export interface PackageChoice {
  /** Absolute path of the repository. */
  readonly root: string;
  /** Relative to the root. */
  readonly packageDir: string;
  /** `own`, `dependents`, `all`, or names and folders of packages. */
  readonly wanted: readonly string[];
}

interface Member {
  readonly name: string | undefined;
  /** Relative to the root. */
  readonly path: string;
  readonly dependencies: readonly string[];
}

/**
 * Folders of the packages to check beside the one where the user stands, relative to the root and by path. Throws
 * RalphError (usage) for a name that no package of the workspace has.
 */
export function choosePackages({ root, packageDir, wanted }: PackageChoice): string[] {
  if (wanted.every((word) => word === 'own')) return [];
  const members = membersAround(root, join(root, packageDir));
  const chosen = wanted.flatMap((word): readonly Member[] => {
    if (word === 'own') return [];
    if (word === 'all') return members;
    if (word === 'dependents') return dependentsOf(members, packageDir);
    const named = members.filter(
      ({ name, path }) => name === word || path === word.replace(/^\.\/|\/$/g, ''),
    );
    if (named.length === 0) throw unknownPackage(word, members);
    return named;
  });
  return [...new Set(chosen.map(({ path }) => path))].filter((path) => path !== packageDir).sort();
}

/** The packages of the nearest workspace up to the root. */
function membersAround(root: string, dir: string): Member[] {
  const top = foldersUpTo(dir, root).find((folder) => workspacePackages(folder).length > 0);
  if (top === undefined) return [];
  return workspacePackages(top).flatMap(({ name, dir: own }) => {
    const path = relativeTo(root, own);
    if (path.startsWith('../')) return [];
    return [{ name, path, dependencies: readManifest(own)?.dependencies ?? [] }];
  });
}

/** The packages that need this one, directly or through others. */
function dependentsOf(members: readonly Member[], packageDir: string): Member[] {
  const found = members.filter(({ path }) => path === packageDir);
  for (const { name } of found)
    found.push(
      ...members.filter(
        (other) => name !== undefined && other.dependencies.includes(name) && !found.includes(other),
      ),
    );
  return found;
}

function unknownPackage(word: string, members: readonly Member[]): Error {
  const names = members.map(({ name, path }) => name ?? path);
  const shown = names.slice(0, 12).join(', ') + (names.length > 12 ? `, and ${names.length - 12} more` : '');
  return usageError(
    `--packages ${word}: ${names.length === 0 ? 'this is no workspace of packages.' : `no package has this name or folder; the packages here are ${shown}.`}`,
    'Give own, dependents, all, or names of packages.',
  );
}
