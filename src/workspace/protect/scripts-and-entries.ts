import { posix } from 'node:path';
import type { CommandPlan } from '../../ports/plan.ts';
import type { TreeFile, TreeReader } from '../snapshots/snapshots.ts';

const MAX_DEPTH = 5;
/** A package manager's call of a script: `npm run lint`, `pnpm test`, `yarn check`. */
const SCRIPT_CALL =
  /\b(?:npm|pnpm|yarn|bun)\s+(?:--?\S+\s+)*(?:run(?:-script)?\s+)?(?:--?\S+\s+)*([\w:./-]+)/g;

/** What of a package.json says what is run and what its users get. */
export interface Manifest {
  readonly scripts: Readonly<Record<string, unknown>>;
  /** Files that users of the package load or run. */
  readonly entries: readonly string[];
  /** Names of the packages that it depends on, in any way. */
  readonly dependencies: readonly string[];
}

/** Keys of package.json that lead users of a package, or their tools, to its files. */
const ENTRY_KEYS = ['main', 'module', 'bin', 'exports', 'types', 'typings', 'source', 'jsnext:main'];

const DEPENDENCY_KEYS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** The package.json files of the base by folder; `.` is the root. */
export async function readManifests(
  files: ReadonlyMap<string, TreeFile>,
  snapshots: TreeReader,
): Promise<ReadonlyMap<string, Manifest>> {
  const found = [...files.values()].filter(({ path }) => posix.basename(path) === 'package.json');
  const texts = await snapshots.readBlobs(found.map(({ id }) => id));
  return new Map(
    found.map(({ path, id }) => [posix.dirname(path), parseManifest(texts.get(id)?.toString('utf8') ?? '')]),
  );
}

function parseManifest(text: string): Manifest {
  try {
    const manifest = JSON.parse(text) as Record<string, unknown>;
    return {
      scripts: (manifest['scripts'] ?? {}) as Manifest['scripts'],
      entries: pathsIn(ENTRY_KEYS.map((key) => manifest[key])),
      dependencies: DEPENDENCY_KEYS.flatMap((key) => Object.keys(manifest[key] ?? {})),
    };
  } catch {
    return { scripts: {}, entries: [], dependencies: [] };
  }
}

/** Every text in a value, without a leading `./`. */
function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.replace(/^\.\//, '')];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
}

/** The command lines, and those of the scripts that they call. */
export function linesOf(
  commands: readonly CommandPlan[],
  manifests: ReadonlyMap<string, Manifest>,
): CommandPlan[] {
  return commands.flatMap((command) => expand(command, manifests, 0));
}

/** The line, and those of the scripts that it calls. */
function expand(line: CommandPlan, manifests: ReadonlyMap<string, Manifest>, depth: number): CommandPlan[] {
  if (depth >= MAX_DEPTH) return [line];
  const scripts = manifests.get(line.cwd)?.scripts ?? {};
  const called = [...line.command.matchAll(SCRIPT_CALL)].flatMap(([, name]) =>
    [`pre${name}`, name!, `post${name}`].flatMap((script) => scripts[script] ?? []),
  );
  const lines = called.filter((text) => typeof text === 'string');
  return [line, ...lines.flatMap((command) => expand({ command, cwd: line.cwd }, manifests, depth + 1))];
}
