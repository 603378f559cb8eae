import { globSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { CheckPlan } from '../../ports/plan.ts';
import { textOf } from '../../platform/files/text-of.ts';

/**
 * Files of the tree that every test of a check loads: its configuration, and the files that the configuration and the
 * arguments name. Relative to the root.
 */
export function sharedFiles({ cwd, config, args, tool }: CheckPlan, root: string): string[] {
  const first = config ?? posix.join(cwd, 'package.json');
  const configs = [first, ...projectConfigs(first, { root, tool })];
  const own = configs.filter((file) => !file.endsWith('package.json'));
  const named = args.map((arg) => arg.replace(/^--[\w-]+=/, ''));
  const files = configs.flatMap((file) => {
    const texts = [...(file === first ? named : []), ...stringsOf(join(root, file), tool)];
    return texts.flatMap((text) => {
      const path = posix.normalize(text.replace(/^<rootDir>\//, './'));
      const places = [posix.join(posix.dirname(file), path), posix.join(cwd, path)];
      return places.filter((place) => isCodeFile(place, root));
    });
  });
  return [...new Set([...own, ...files])];
}

/** Files in which Vitest and Jest look for the configuration of a project. */
const PROJECT_CONFIGS = '{vitest,vite,jest}.config.{ts,mts,cts,js,mjs,cjs,json},package.json';
/** Beside the configuration; before Vitest 4. */
const WORKSPACE_FILES = 'vitest.workspace.{ts,mts,js,mjs,json}';

interface ProjectPlace {
  readonly root: string;
  readonly tool: string;
}

/** The configurations that the projects of a configuration have in files of their own. All are relative to the root. */
function projectConfigs(config: string, { root, tool }: ProjectPlace): string[] {
  const folder = posix.dirname(config);
  const cwd = join(root, folder);
  const [workspace] = tool === 'vitest' ? globSync(WORKSPACE_FILES, { cwd }) : [];
  const text = textOf(join(root, config));
  const listed = /["']?(projects|workspace)["']?\s*[:=][^]*/.exec(text)?.[0] ?? '';
  const texts = workspace === undefined ? listed : `${listed}\n${textOf(join(cwd, workspace))}`;
  const patterns = [...texts.matchAll(QUOTED)]
    .map(([, , it]) => it!.replace(/^<rootDir>\//, ''))
    .filter((it) => /[/*]/.test(it) && !/^(\*\*|\.\.|!)|[()\s]|\b(test|spec)s?\./.test(it));
  const found = patterns.flatMap((it) => [
    ...globSync(it, { cwd }),
    ...globSync(`${it}/{${PROJECT_CONFIGS}}`, { cwd }),
  ]);
  return [...new Set(found.filter((it) => /(config\.\w+|package\.json)$/.test(it)))].map((it) =>
    posix.join(folder, it),
  );
}

/** Settings of Vitest and Jest whose values are loaded for every test. */
const LOADING =
  /\b(setupFiles\w*|global(Setup|Teardown)|(test)?environment|runner|transform|resolver|snapshotSerializers|alias|moduleNameMapper|preset)\b['"]?\s*:\s*(\[[^\]]*\]|\{[^}]*\}|[^,\n}]*)/gi;
const QUOTED = /(['"`])([^'"`\n]+)\1/g;

/** The quoted texts of the settings in a configuration file that tests load; of package.json, those of the runner's own section. */
function stringsOf(path: string, tool: string): string[] {
  const text = textOf(path);
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
