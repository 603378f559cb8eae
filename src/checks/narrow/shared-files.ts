import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { CheckPlan } from '../../ports.ts';

/**
 * Files of the tree that every test of a check loads: its configuration, and the files that the configuration and the
 * arguments name. Relative to the root.
 */
export function sharedFiles({ cwd, config, args, tool }: CheckPlan, root: string): string[] {
  const own = config === undefined || config.endsWith('package.json') ? [] : [config];
  const named = [
    ...args.map((arg) => arg.replace(/^--[\w-]+=/, '')),
    ...stringsOf(join(root, config ?? join(cwd, 'package.json')), tool),
  ];
  const files = named.flatMap((text) => {
    const folder = config === undefined ? cwd : posix.dirname(config);
    const path = posix.normalize(text.replace(/^<rootDir>\//, './'));
    return [posix.join(folder, path), posix.join(cwd, path)].filter((file) => isCodeFile(file, root));
  });
  return [...new Set([...own, ...files])];
}

/** Settings of Vitest and Jest whose values are loaded for every test. */
const LOADING =
  /\b(setupFiles\w*|global(Setup|Teardown)|(test)?environment|runner|transform|resolver|snapshotSerializers|alias|moduleNameMapper|preset)\b['"]?\s*:\s*(\[[^\]]*\]|\{[^}]*\}|[^,\n}]*)/gi;
const QUOTED = /(['"`])([^'"`\n]+)\1/g;

/** The quoted texts of the settings in a configuration file that tests load; of package.json, those of the runner's own section. */
function stringsOf(path: string, tool: string): string[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  if (!path.endsWith('package.json'))
    return [...text.matchAll(LOADING)].flatMap(([value]) =>
      [...value.matchAll(QUOTED)].map(([, , it]) => it!),
    );
  try {
    return textsIn((JSON.parse(text) as Record<string, unknown>)[tool]);
  } catch {
    return [];
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function isCodeFile(file: string, root: string): boolean {
  const isInside = !file.startsWith('../') && !file.includes('node_modules/');
  return (
    isInside &&
    /\.[cm]?[jt]sx?$/.test(file) &&
    (statSync(join(root, file), { throwIfNoEntry: false })?.isFile() ?? false)
  );
}
