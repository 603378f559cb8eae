import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { evaluate, parse as parseJson } from '@humanwhocodes/momoa';
import { parse as parseYaml } from 'yaml';
import { readTreeTextSync } from '../../../platform/files/read-bounded.ts';
import { readManifest } from './manifest.ts';

/** A package of a workspace of npm, yarn, pnpm or lerna. */
export interface WorkspacePackage {
  readonly name: string | undefined;
  /** Relative to the workspace's root. */
  readonly path: string;
  /** Absolute. */
  readonly dir: string;
  readonly scripts: Readonly<Record<string, string>>;
}

/**
 * The packages of the workspace whose root is `root` (absolute), by path; none where it is no such root. Patterns are
 * read from package.json, pnpm-workspace.yaml and lerna.json. Never throws.
 */
export function workspacePackages(root: string): WorkspacePackage[] {
  try {
    const patterns = patternsOf(root);
    const excluded = patterns.filter((it) => it.startsWith('!')).map((it) => `${it.slice(1)}/package.json`);
    const manifests = patterns
      .filter((it) => !it.startsWith('!'))
      .flatMap((it) =>
        globSync(`${it.replace(/\/$/, '')}/package.json`, {
          cwd: root,
          exclude: ['**/node_modules/**', ...excluded],
        }),
      );
    return [...new Set(manifests)].sort().flatMap((file) => {
      const path = dirname(file);
      const manifest = path === '.' ? undefined : readManifest(join(root, path));
      if (manifest === undefined) return [];
      return [{ name: manifest.name, path, dir: join(root, path), scripts: manifest.scripts }];
    });
  } catch {
    return [];
  }
}

/**
 * The command that builds the packages before a task of turbo or nx, where its configuration says that the task depends
 * on a build; undefined elsewhere. `root` is absolute. Never throws.
 */
export function buildBefore(program: string, task: string, root: string): string | undefined {
  const runner = Object.hasOwn(TASK_RUNNERS, program) ? TASK_RUNNERS[program] : undefined;
  if (runner === undefined) return undefined;
  try {
    const config = readJson(join(root, runner.file));
    const tasks = runner.keys.map((key) => config[key]).find((it) => it !== undefined) ?? {};
    const { dependsOn = [] } = (tasks as Record<string, { dependsOn?: readonly string[] }>)[task] ?? {};
    return dependsOn.some((it) => it === 'build' || it === '^build') ? runner.build : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a task of turbo or nx also runs the script of this name that the root has. `root` is absolute. Never throws. */
export function runsInRoot(program: string, task: string, root: string): boolean {
  try {
    if (program === 'turbo') {
      const { tasks, pipeline } = readJson(join(root, 'turbo.json'));
      return Object.hasOwn((tasks ?? pipeline ?? {}) as object, `//#${task}`);
    }
    if (program !== 'nx') return false;
    const { nx } = readJson(join(root, 'package.json')) as { nx?: { includedScripts?: readonly string[] } };
    return nx !== undefined && (nx.includedScripts?.includes(task) ?? true);
  } catch {
    return false;
  }
}

const TASK_RUNNERS: Readonly<Record<string, { file: string; keys: readonly string[]; build: string }>> = {
  turbo: { file: 'turbo.json', keys: ['tasks', 'pipeline'], build: 'turbo run build' },
  nx: { file: 'nx.json', keys: ['targetDefaults'], build: 'nx run-many -t build' },
};

function patternsOf(root: string): string[] {
  const own = readManifest(root)?.workspaces ?? [];
  const lerna = join(root, 'lerna.json');
  const listed: unknown = existsSync(lerna) && own.length === 0 ? readJson(lerna)['packages'] : [];
  return [
    ...own,
    ...pnpmPatterns(join(root, 'pnpm-workspace.yaml')),
    ...(Array.isArray(listed) ? listed.map(String) : []),
  ];
}

function pnpmPatterns(path: string): string[] {
  if (!existsSync(path)) return [];
  const settings = parseYaml(readTreeTextSync(path)) as { packages?: unknown } | null;
  return Array.isArray(settings?.packages) ? settings.packages.map(String) : [];
}

/** Reads JSON that may have comments, as the files of turbo, nx and lerna do. */
function readJson(path: string): Record<string, unknown> {
  const document = parseJson(readTreeTextSync(path), { mode: 'jsonc', allowTrailingCommas: true });
  return evaluate(document) as unknown as Record<string, unknown>;
}
