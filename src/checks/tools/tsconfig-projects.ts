import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseJsonc } from '../parsers/jsonc.ts';

/** The TypeScript projects that one configuration stands for; absolute paths of their files. */
export interface Projects {
  /** Other projects import their declarations: they are built first. */
  readonly built: readonly string[];
  /** Checked without output, after those. */
  readonly checked: readonly string[];
}

interface TsConfig {
  readonly extends?: string | readonly string[];
  readonly files?: readonly string[];
  readonly include?: readonly string[];
  readonly references?: readonly { readonly path: string }[];
}

/**
 * Follows `references` from configuration files or folders to every project. One that lists no files of its own
 * (a solution) stands for what it refers to alone. A file that cannot be read is a project: tsc says why.
 */
export function listProjects(configs: readonly string[]): Projects {
  const built = new Set<string>();
  const checked = new Set<string>();
  const visit = (path: string): void => {
    const file = configFile(path);
    if (checked.has(file)) return;
    const config = readConfig(file);
    const references = (config.references ?? []).map(({ path: target }) =>
      configFile(resolve(dirname(file), target)),
    );
    const isSolution = references.length > 0 && !hasOwnFiles(config, file);
    if (!isSolution) {
      checked.add(file);
      for (const reference of references) built.add(reference);
    }
    references.forEach(visit);
  };
  configs.forEach(visit);
  return { built: [...built], checked: [...checked].filter((file) => !built.has(file)) };
}

function configFile(path: string): string {
  try {
    return statSync(path).isDirectory() ? join(path, 'tsconfig.json') : path;
  } catch {
    return path;
  }
}

function readConfig(file: string): TsConfig {
  try {
    return (parseJsonc(readFileSync(file, 'utf8')) as TsConfig | null | undefined) ?? {};
  } catch {
    return {};
  }
}

/** Without `files` and `include` a configuration means every file below it. */
function hasOwnFiles(config: TsConfig, file: string, depth = 0): boolean {
  const { files, include } = config;
  if (files !== undefined || include !== undefined) return [...(files ?? []), ...(include ?? [])].length > 0;
  const bases = [config.extends ?? []].flat().filter((base) => base.startsWith('.'));
  if (depth > 10 || bases.length === 0) return true;
  const base = resolve(dirname(file), bases.at(-1)!);
  return hasOwnFiles(readConfig(base.endsWith('.json') ? base : `${base}.json`), base, depth + 1);
}
