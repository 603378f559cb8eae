import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import type { AcceptanceRequest } from '../../ports/acceptance.ts';

/** Whether a specifier in a test file means a file of the repository: relative, `#…`, an alias, or its own package. */
export function ownImports(root: string, packageDir: string): (specifier: string) => boolean {
  const names = [...new Set(['.', packageDir])].flatMap((folder) => packageName(join(root, folder)) ?? []);
  return (specifier) =>
    /^(\.|#|[@~]\/)/.test(specifier) ||
    names.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

function packageName(folder: string): string | undefined {
  try {
    const { name } = JSON.parse(readTreeTextSync(join(folder, 'package.json'))) as { name?: unknown };
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Paths, relative to the root, of relatively imported files that do not exist, also not with an ending added. */
export function missingFiles(imports: readonly string[], path: string, root: string): string[] {
  return imports
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(path), name).replaceAll('\\', '/'))
    .filter((file) => !isThere(join(root, file)));
}

/** A reason, as a sentence part, not to run a file with these imports; undefined if there is none. */
export function importProblem(
  imports: readonly string[],
  path: string,
  { root, task, stated }: AcceptanceRequest,
): string | undefined {
  const outside = imports.find(
    (name) =>
      /^(\/|file:|https?:)/.test(name) ||
      (name.startsWith('.') && join(dirname(path), name).startsWith('..')),
  );
  if (outside !== undefined) return `imports ${outside}, which is outside of the repository`;
  const text = [task, ...stated].join('\n');
  const isNamed = (file: string): boolean => {
    const stem = file.replace(/\.[cm]?[jt]sx?$/, '');
    return (
      text.includes(file) || (stem.includes('/') && text.includes(stem)) || text.includes(basename(file))
    );
  };
  const unnamed = missingFiles(imports, path, root).find((file) => !isNamed(file));
  return unnamed === undefined
    ? undefined
    : `imports ${unnamed}, which neither exists nor is named by the task`;
}

function isThere(file: string): boolean {
  const endings = ['', '.js', '.ts', '.tsx', '.jsx', '.mjs', '.cjs', '.json', '/index.js', '/index.ts'];
  // TypeScript sources are imported by the name of their output.
  return (
    endings.some((ending) => existsSync(file + ending)) ||
    existsSync(file.replace(/\.([cm]?)js(x?)$/, '.$1ts$2'))
  );
}
