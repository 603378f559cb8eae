import { dirname, resolve } from 'node:path';
import type { TsConfigJsonResolved } from 'get-tsconfig';
import { readTsconfig, tsconfigPath } from '../run/tsconfig.ts';

/** The TypeScript projects that a configuration leads to; absolute paths of their files. */
export interface Projects {
  /** Built first: other projects import their declarations. */
  readonly built: readonly string[];
  /** Checked afterwards, without output. */
  readonly checked: readonly string[];
}

/**
 * Follows `references` from configuration files or folders (absolute) to every project. A solution, which lists no
 * files of its own, is replaced by the projects that it refers to: tsc alone would check nothing and pass. A file
 * that cannot be read counts as a project, so that tsc reports the reason.
 */
export function listProjects(configs: readonly string[]): Projects {
  const built = new Set<string>();
  const checked = new Set<string>();
  const visited = new Set<string>();
  const visit = (project: string): void => {
    const file = tsconfigPath(project);
    if (visited.has(file)) return;
    visited.add(file);
    const config = readTsconfig(file) ?? {};
    const references = (config.references ?? []).map(({ path }) =>
      tsconfigPath(resolve(dirname(file), path)),
    );
    if (references.length === 0 || hasOwnFiles(config)) {
      checked.add(file);
      for (const reference of references) built.add(reference);
    }
    references.forEach(visit);
  };
  configs.forEach(visit);
  return { built: [...built], checked: [...checked].filter((file) => !built.has(file)) };
}

/** Without `files` and `include` a project consists of every file below it. */
function hasOwnFiles({ files, include }: TsConfigJsonResolved): boolean {
  if (files === undefined && include === undefined) return true;
  return [...(files ?? []), ...(include ?? [])].length > 0;
}
