/** Sources of what a build makes: users of a package run them, the build only reads them. */
import { posix } from 'node:path';
import type { Manifest } from '../workspace/protect/scripts-and-entries.ts';
import type { TreeFile, TreeReader } from '../workspace/snapshots/snapshots.ts';

/** Settings of a program that makes one file of many. */
const BUNDLER =
  /^(?:rollup|rolldown|vite|webpack|rspack|rslib|esbuild|tsup|tsdown|build|bunchee|farm|microbundle)\.(?:[\w-]+\.)*[cm]?[jt]s$/;
/** The files that a bundler starts from: a path, or a list or table of paths. */
const INPUT =
  /(['"]?)\b(?:input|entry|entries|entryPoints)\1\s*:\s*(\[[^\]]*\]|\{[^}]*\}|(['"`])[^'"`\n]*\3)/g;
const TEXT = /(['"`])([^'"`\n]+)\1/g;
const SOURCE_ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.mjs', '.cjs', '.jsx'];
const BUILT_ENDING = /(?:\.d)?\.[cm]?[jt]sx?$/;

/** Files that the settings of bundlers name as the place to start from. */
export async function bundledSources(
  settings: readonly string[],
  files: ReadonlyMap<string, TreeFile>,
  reader: TreeReader,
): Promise<readonly string[]> {
  const bundlers = settings.filter((path) => BUNDLER.test(posix.basename(path)));
  const texts = await reader.readBlobs(bundlers.map((path) => files.get(path)!.id));
  return bundlers.flatMap((path) => {
    const text = texts.get(files.get(path)!.id)?.toString('utf8') ?? '';
    const named = [...text.matchAll(INPUT)].flatMap(([, , value]) => [...value!.matchAll(TEXT)]);
    return named.flatMap(([, , name]) => {
      const at = posix.join(posix.dirname(path), name!);
      return ['', ...SOURCE_ENDINGS].map((end) => at + end).find((it) => files.has(it)) ?? [];
    });
  });
}

/** The sources of entries that a build makes: `src/x.ts`, `x.ts` or `src/index.ts` for an absent `dist/x.js`. */
export function builtSources(
  manifests: ReadonlyMap<string, Manifest>,
  files: ReadonlyMap<string, TreeFile>,
): readonly string[] {
  return [...manifests].flatMap(([folder, { entries }]) =>
    entries
      .filter((entry) => BUILT_ENDING.test(entry) && !files.has(posix.join(folder, entry)))
      .flatMap((entry) => {
        const stem = entry.replace(BUILT_ENDING, '').split('/').slice(1).join('/');
        const last = posix.basename(stem);
        const stems = [`src/${stem}`, stem, `src/${last}`, 'src/index'].filter((it) => !it.endsWith('/'));
        const places = stems.flatMap((it) => SOURCE_ENDINGS.map((end) => posix.join(folder, it + end)));
        return places.find((path) => files.has(path)) ?? [];
      }),
  );
}
