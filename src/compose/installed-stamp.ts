import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { scriptNode } from '../platform/processes/script-node.ts';
import { version } from '../platform/version.ts';

/** Files that a package manager writes anew whenever it installs something. */
const INSTALLED = [
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-integrity',
  'node_modules/.yarn-state.yml',
  'node_modules',
  '.pnp.cjs',
];

/** Versions of the programs that every check depends on. */
export function programVersions(): readonly string[] {
  return [version(), process.version, scriptNode().version, process.arch];
}

/** One text for each place of installed packages in the folders, which are relative to the root. */
export function installedStamps(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) => INSTALLED.map((it) => stampOf(join(root, folder, it))));
}

/** Changes when a package manager runs in one of the folders, which are relative to the root. */
export function installedStamp(root: string, folders: readonly string[]): string {
  return hashOf(installedStamps(root, folders));
}

/** The stamp of as many folders in which nothing is installed. */
export function stampOfNothing(folders: readonly string[]): string {
  return hashOf(folders.flatMap(() => INSTALLED.map(() => '')));
}

/** Changes with the installed packages in the folders and with the versions of Node and of ralph. */
export function programsStamp(root: string, folders: readonly string[]): string {
  return hashOf([programVersions(), installedStamps(root, folders)]);
}

/** SHA-256 of the value's JSON, in hexadecimal. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Time of the last change and size; empty if there is no such file. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size}`;
}
