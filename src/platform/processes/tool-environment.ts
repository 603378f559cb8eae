import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { childEnvironment } from './environment.ts';

/** Folder in which pnpm keeps packages that no manifest of the repository names. */
const HOISTED = join('node_modules', '.pnpm', 'node_modules');

/**
 * The environment of a tool that is called directly, like that of a package manager's `run`: binaries of the `folders`
 * (absolute paths, the innermost first) are first on the PATH, and packages that pnpm hoists for plugins are found.
 * `extra` overrides it.
 */
export function toolEnvironment(
  folders: readonly string[],
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env = childEnvironment(extra, folders[0]);
  const within = [...new Set(folders)];
  const binaries = within.map((folder) => join(folder, 'node_modules', '.bin'));
  const hoisted = within.map((folder) => join(folder, HOISTED)).filter(existsSync);
  const path = joined([...binaries, env['PATH']]);
  return hoisted.length === 0
    ? { ...env, PATH: path }
    : { ...env, PATH: path, NODE_PATH: joined([...hoisted, env['NODE_PATH']]) };
}

function joined(paths: readonly (string | undefined)[]): string {
  return paths.filter(Boolean).join(delimiter);
}
