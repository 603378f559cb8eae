import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

interface PathTable {
  readonly base: string;
  readonly paths: Readonly<Record<string, readonly string[]>>;
}

/**
 * Where the `paths` of the nearest tsconfig.json or jsconfig.json send an import, as absolute paths without a
 * promise that they exist; `@/…` and `~/…` without such a table mean `src`.
 */
export function resolveByPaths(root: string, importer: string, specifier: string): string[] {
  const table = nearestTable(root, dirname(importer));
  const mapped = Object.entries(table?.paths ?? {}).flatMap(([pattern, targets]) => {
    const rest = matchPattern(pattern, specifier);
    return rest === undefined ? [] : targets.map((target) => resolve(table!.base, target.replace('*', rest)));
  });
  const habit = /^[@~]\/(.+)$/.exec(specifier);
  return habit === null ? mapped : [...mapped, join(root, 'src', habit[1]!)];
}

function nearestTable(root: string, from: string): PathTable | undefined {
  for (let dir = from; dir.startsWith(root); dir = dirname(dir)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const table = readTable(dir, name);
      if (table !== undefined) return table;
    }
  }
  return undefined;
}

function readTable(dir: string, name: string): PathTable | undefined {
  try {
    const text = withoutComments(readFileSync(join(dir, name), 'utf8'));
    const { compilerOptions } = JSON.parse(text) as {
      compilerOptions?: { baseUrl?: string; paths?: Record<string, string[]> };
    };
    if (compilerOptions?.paths === undefined) return undefined;
    return { base: resolve(dir, compilerOptions.baseUrl ?? '.'), paths: compilerOptions.paths };
  } catch {
    return undefined;
  }
}

/** What `*` stands for; undefined where the pattern does not fit. */
function matchPattern(pattern: string, specifier: string): string | undefined {
  const [head, tail] = pattern.split('*');
  if (tail === undefined) return specifier === pattern ? '' : undefined;
  const fits = specifier.startsWith(head!) && specifier.endsWith(tail);
  return fits ? specifier.slice(head!.length, specifier.length - tail.length) : undefined;
}

/** JSON with comments and trailing commas, as TypeScript reads it, to plain JSON; texts in quotes stay whole. */
function withoutComments(text: string): string {
  return text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, quoted?: string) => quoted ?? '')
    .replace(
      /("(?:\\.|[^"\\])*")|,(\s*[}\]])/g,
      (_, quoted?: string, close?: string) => quoted ?? close ?? '',
    );
}
