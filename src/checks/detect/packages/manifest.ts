import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { readTreeTextSync } from '../../../platform/files/read-bounded.ts';
import { ExitCode, RalphError, messageOf } from '../../../errors.ts';
import { withPackageVariables } from './package-variables.ts';

/** The fields of a package.json that detection reads. */
export interface Manifest {
  readonly name?: string;
  /** Patterns of the packages of a workspace, relative to this one. */
  readonly workspaces?: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  /** Names of `dependencies` and `devDependencies`. */
  readonly dependencies: readonly string[];
  /** The `packageManager` field, or its successor `devEngines.packageManager.name`. */
  readonly packageManager?: string;
  /** Top-level keys whose value is an object: tools keep their configuration there. */
  readonly sections: ReadonlySet<string>;
}

/** The manifest of a folder, or `undefined` where it has none. Throws RalphError for one that cannot be read. */
export function readManifest(dir: string): Manifest | undefined {
  const path = join(dir, 'package.json');
  if (!existsSync(path)) return undefined;
  const json = parse(path);
  const { name } = json;
  const scripts = Object.entries(strings(json['scripts'])).map(
    ([script, text]) => [script, withPackageVariables(text, json)] as const,
  );
  return {
    name: typeof name === 'string' ? name : undefined,
    workspaces: workspacesOf(json['workspaces']),
    scripts: withoutWireit(Object.fromEntries(scripts), object(json['wireit'])),
    dependencies: [
      ...Object.keys(object(json['dependencies'])),
      ...Object.keys(object(json['devDependencies'])),
    ],
    packageManager: packageManagerOf(json),
    sections: new Set(Object.keys(json).filter((key) => typeof json[key] === 'object' && json[key] !== null)),
  };
}

/**
 * The nearest folder with a package.json, from `start` up to `root` (both absolute), relative to the root
 * with forward slashes; `.` is the root itself. `undefined` where there is none.
 */
export function findPackageDir(start: string, root: string): string | undefined {
  const dir = foldersUpTo(start, root).find((it) => existsSync(join(it, 'package.json')));
  return dir === undefined ? undefined : relativeTo(root, dir);
}

/** `start` and its parents up to and including `root`; only `start` where it is outside. Absolute paths. */
export function foldersUpTo(start: string, root: string): string[] {
  const folders = [start];
  while (folders.at(-1) !== root) {
    const parent = dirname(folders.at(-1)!);
    if (parent === folders.at(-1)) return [start];
    folders.push(parent);
  }
  return folders;
}

/** A path relative to the root with forward slashes; `.` for the root. */
export function relativeTo(root: string, path: string): string {
  const found = relative(root, path);
  return found === '' ? '.' : found.split(sep).join('/');
}

function parse(path: string): Record<string, unknown> {
  try {
    return object(JSON.parse(readTreeTextSync(path).replace(/^\uFEFF/, '')));
  } catch (error) {
    throw new RalphError(`${path} is not valid JSON: ${messageOf(error)}`, {
      code: 'no_package',
      exitCode: ExitCode.check,
      hint: 'Fix package.json first: without it no check can be detected.',
      cause: error,
    });
  }
}

/** A list, or a list in `packages`. */
function workspacesOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : object(value)['packages'];
  return Array.isArray(list) ? list.map(String) : [];
}

function packageManagerOf(json: Record<string, unknown>): string | undefined {
  if (typeof json['packageManager'] === 'string') return json['packageManager'];
  const engine = object(object(json['devEngines'])['packageManager']);
  if (typeof engine['name'] !== 'string') return undefined;
  const version = /\d+(\.\d+)*/.exec(String(engine['version'] ?? ''))?.[0];
  return version === undefined ? engine['name'] : `${engine['name']}@${version}`;
}

/**
 * Scripts whose text is `wireit` as lines: the scripts of the package that they depend on, then their own command
 * (https://github.com/google/wireit#dependencies).
 */
function withoutWireit(
  scripts: Record<string, string>,
  wireit: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const entries = Object.entries(scripts).map(([name, text]) => {
    if (text.trim() !== 'wireit') return [name, text];
    const { command, dependencies } = object(wireit[name]);
    const needed = (Array.isArray(dependencies) ? dependencies : []).map((it: unknown) =>
      typeof it === 'string' ? it : String(object(it)['script']),
    );
    const own = needed.filter((it) => Object.hasOwn(scripts, it)).map((it) => `npm run ${it}`);
    return [name, [...own, ...(typeof command === 'string' ? [command] : [])].join(' && ') || 'true'];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

function object(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function strings(value: unknown): Record<string, string> {
  const entries = Object.entries(object(value)).filter((entry) => typeof entry[1] === 'string');
  return Object.fromEntries(entries) as Record<string, string>;
}
