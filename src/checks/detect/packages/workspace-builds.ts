import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readTreeTextSync } from '../../../platform/files/read-bounded.ts';
import { runGit } from '../../../platform/git/git.ts';
import { programFile } from '../../../platform/package-files.ts';
import { shellCommand } from '../../../platform/processes/shell-words.ts';
import { foldersUpTo, relativeTo } from './manifest.ts';
import type { PackageContext } from './package-context.ts';
import { workspacePackages } from './workspaces.ts';

/** What the packages of a workspace need of one another's builds. Packages are folders relative to the root. */
export interface WorkspaceBuilds {
  /** Build outputs of these packages and of those that they need, relative to the root: files and folders. */
  readonly outputsFor: (packageDirs: readonly string[]) => readonly string[];
  /** Shell lines that make the outputs which a package needs from the others current. */
  readonly setupOf: (packageDir: string) => readonly string[];
}

interface OutputPackage {
  readonly name: string;
  /** Relative to the repository's root. */
  readonly path: string;
  readonly canBuild: boolean;
  readonly dependencies: readonly string[];
  /** Entries that are there and that git ignores: the first part of each path in the package, such as `dist`. */
  readonly outputs: readonly string[];
}

const MAX_PACKAGES = 300;
/** Builds a package only if it has changed. */
const BUILD_CHANGED = programFile('checks/run/build-changed');

/**
 * The built entries of the packages of a workspace that are in the user's tree, by the paths that their package.json names.
 * The user made them, and they hold as long as their package is unchanged. What the user has not built is left alone: the
 * checks may read the sources instead. Never rejects.
 */
export async function findWorkspaceBuilds({ root, dir, manager }: PackageContext): Promise<WorkspaceBuilds> {
  const packages = await packagesWithOutputs(root, dir);
  const byName = new Map(packages.map((it) => [it.name, it]));
  const neededBy = (packageDir: string): OutputPackage[] =>
    inOrder(dependenciesOf(join(root, packageDir)), byName);
  return {
    outputsFor: (packageDirs) => {
      const own = packages.filter(({ path }) => packageDirs.includes(path));
      const all = new Set([...own, ...packageDirs.flatMap(neededBy)]);
      return [...all].flatMap(({ path, outputs }) => outputs.map((it) => posix.join(path, it)));
    },
    setupOf: (packageDir) =>
      neededBy(packageDir)
        .filter(({ path, canBuild, outputs }) => canBuild && outputs.length > 0 && path !== packageDir)
        .map((it) => buildLine(it, packageDir, manager.runner)),
  };
}

/** Builds a package if its output is older than its files. */
function buildLine({ path, outputs }: OutputPackage, from: string, manager: string): string {
  const words = [BUILD_CHANGED, posix.relative(from, path), outputs[0]!];
  return `node ${shellCommand(words)} ${manager} run build`;
}

async function packagesWithOutputs(root: string, dir: string): Promise<OutputPackage[]> {
  const top = foldersUpTo(dir, root).find((folder) => workspacePackages(folder).length > 0);
  if (top === undefined) return [];
  const packages = workspacePackages(top)
    .slice(0, MAX_PACKAGES)
    .flatMap(({ name, dir: own, scripts }) => {
      const path = relativeTo(root, own);
      const isInside = !path.startsWith('../');
      if (name === undefined || !isInside) return [];
      return [{ name, path, canBuild: scripts['build'] !== undefined, ...entriesOf(own) }];
    });
  const all = packages.flatMap(({ path, outputs }) => outputs.map((it) => posix.join(path, it)));
  const ignored = await ignoredAmong(all, root);
  return packages.map((it) => ({
    ...it,
    outputs: it.outputs.filter((output) => {
      const path = posix.join(it.path, output);
      return ignored.has(path) && existsSync(join(root, path));
    }),
  }));
}

const ENTRY_KEYS = ['main', 'module', 'browser', 'types', 'typings', 'exports', 'bin'];

function entriesOf(dir: string): Pick<OutputPackage, 'dependencies' | 'outputs'> {
  const manifest = readJson(join(dir, 'package.json'));
  const paths = ENTRY_KEYS.flatMap((key) => textsIn(manifest[key]));
  const first = paths.map((path) => posix.normalize(path).split('/')[0]!);
  const outputs = [...new Set(first)].filter((it) => !/^$|^\.+$|[*]/.test(it));
  return { outputs, dependencies: dependenciesOf(dir) };
}

function dependenciesOf(dir: string): string[] {
  const manifest = readJson(join(dir, 'package.json'));
  const tables = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  return tables.flatMap((key) => Object.keys((manifest[key] ?? {}) as object));
}

/** The packages that these names need, each after those that it needs itself. */
function inOrder(names: readonly string[], byName: ReadonlyMap<string, OutputPackage>): OutputPackage[] {
  const ordered = new Set<OutputPackage>();
  const open = new Set<string>();
  const visit = (name: string): void => {
    const found = byName.get(name);
    if (found === undefined || open.has(name)) return;
    open.add(name);
    for (const other of found.dependencies) visit(other);
    ordered.add(found);
  };
  for (const name of names) visit(name);
  return [...ordered];
}

async function ignoredAmong(paths: readonly string[], root: string): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const input = paths.map((path) => `${path}\0`).join('');
  const { exitCode, stdout } = await runGit(['check-ignore', '-z', '--stdin'], { cwd: root, input });
  return new Set(exitCode === 0 ? stdout.toString('utf8').split('\0').filter(Boolean) : []);
}

/** Every text in a value, such as the paths of `exports`. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function readJson(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readTreeTextSync(path)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
