import { join, posix } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { GateAnswer } from '../../schema/generated.ts';
import { changedPackage } from '../../workspace/protect/changed-packages.ts';

/** A look at so many files takes some 20 ms on a slow machine, and less than 5 on others. */
const MOST_ENTRIES = 800;
const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * Whether the installed packages of the folders are as they were when an answer was given, as far as a short look shows it: at
 * those that package.json names first. What a package manager has installed shows in `programsStamp`.
 */
export function arePackagesAsThen(root: string, folders: readonly string[], { at }: GateAnswer): boolean {
  return folders.every((folder) => {
    const changed = changedPackage({
      repository: root,
      folders: [posix.join(folder, 'node_modules')],
      sinceMs: Date.parse(at),
      mayBeInstalled: false,
      mostEntries: MOST_ENTRIES,
      first: namesIn(join(root, folder, 'package.json')),
    });
    return changed === undefined;
  });
}

/** None where the manifest cannot be read. */
function namesIn(manifest: string): string[] {
  try {
    const json = JSON.parse(textOf(manifest)) as Readonly<Record<string, object | undefined>>;
    return SECTIONS.flatMap((section) => Object.keys(json[section] ?? {}));
  } catch {
    return [];
  }
}
