import { dirname, join } from 'node:path';
import { createPathsMatcher, parseTsconfig, type PathsMatcher } from 'get-tsconfig';

/** Resolves an import to absolute paths that it may mean, best first; the files need not exist. */
export type AliasResolver = (importer: string, specifier: string) => string[];

const CONFIG_NAMES = ['tsconfig.json', 'jsconfig.json'];

/**
 * Creates a resolver for the `paths` of the nearest tsconfig.json or jsconfig.json that has some, its own or inherited
 * by `extends`, at most up to `root`. `@/…` and `~/…` also mean `src`, which bundlers often configure elsewhere.
 * Each folder's configuration is read once; one that cannot be read is skipped.
 */
export function createAliasResolver(root: string): AliasResolver {
  const matchers = new Map<string, PathsMatcher | undefined>();
  const matcherFor = (dir: string): PathsMatcher | undefined => {
    if (matchers.has(dir)) return matchers.get(dir);
    const own = CONFIG_NAMES.map((name) => readMatcher(join(dir, name))).find((found) => found !== undefined);
    const matcher = own ?? (dir === root || dir === dirname(dir) ? undefined : matcherFor(dirname(dir)));
    matchers.set(dir, matcher);
    return matcher;
  };
  return (importer, specifier) => {
    const mapped = matcherFor(dirname(importer))?.(specifier) ?? [];
    const conventional = /^[@~]\/(.+)$/.exec(specifier);
    return conventional === null ? mapped : [...mapped, join(root, 'src', conventional[1]!)];
  };
}

function readMatcher(path: string): PathsMatcher | undefined {
  try {
    const config = parseTsconfig(path);
    if (config.compilerOptions?.paths === undefined) return undefined;
    return createPathsMatcher({ path, config }) ?? undefined;
  } catch {
    return undefined;
  }
}
