import { posix } from 'node:path';
import type { TreeId } from '../../ports/tree.ts';
import { isConfiguration } from './protected-paths.ts';
import type { TreeFile, TreeReader } from '../snapshots/snapshots.ts';

const MAX_DEPTH = 5;
/** Source folders, whose files are not configuration even if a configuration names them. */
const SOURCES = /(^|\/)(src|lib|app|source|sources|packages\/[^/]+\/(src|lib))\//;
const SETUP = /(^|[/._-])set-?up|\bglobal-?(setup|teardown)/i;
const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.json', '/index.js', '/index.ts'];

/**
 * Files of the base that its configuration names by a relative path, directly or through other files: extended
 * configurations, set-up files, reporters, plugins. Sources are left out, since a configuration may name the file that is
 * to be repaired. Paths are relative to the root.
 */
export async function namedByConfiguration(base: TreeId, snapshots: TreeReader): Promise<readonly string[]> {
  const files = new Map((await snapshots.listFiles(base)).map((file) => [file.path, file]));
  const found = new Set<string>();
  let open = [...files.keys()].filter((path) => isConfiguration(path) && !path.startsWith('.aiwg/'));
  for (let depth = 0; depth < MAX_DEPTH && open.length > 0; depth++) {
    const texts = await textsOf(open, files, snapshots);
    const named = open.flatMap((path, index) => namesIn(texts[index]!, path, files));
    open = [...new Set(named)].filter((path) => !found.has(path) && !isConfiguration(path));
    for (const path of open) found.add(path);
  }
  return [...found];
}

async function textsOf(
  paths: readonly string[],
  files: ReadonlyMap<string, TreeFile>,
  snapshots: TreeReader,
): Promise<string[]> {
  const ids = paths.map((path) => files.get(path)!.id);
  const contents = await snapshots.readBlobs(ids);
  return ids.map((id) => contents.get(id)?.toString('utf8') ?? '');
}

function namesIn(text: string, from: string, files: ReadonlyMap<string, TreeFile>): string[] {
  return [...text.matchAll(/(["'`])((?:\.{1,2}|<rootDir>)\/[^"'`\n]*)\1/g)].flatMap(([, , name]) => {
    const path = posix.join(posix.dirname(from), name!.replace('<rootDir>', '.'));
    const target = ENDINGS.map((ending) => path + ending).find((candidate) => files.has(candidate));
    if (target === undefined || target === from) return [];
    return isSource(target) || isProduct(from, target) ? [] : [target];
  });
}

/** A tsconfig names the files that it checks; only other configurations that it extends or refers to configure it. */
function isProduct(from: string, target: string): boolean {
  return /(^|\/)[jt]sconfig[^/]*\.json$/.test(from) && !target.endsWith('.json');
}

/** True for a file in a source folder that is not named like a set-up file. */
export function isSource(path: string): boolean {
  return SOURCES.test(path) && !SETUP.test(path);
}
