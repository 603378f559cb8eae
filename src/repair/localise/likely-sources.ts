import { basename, extname, join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { reachedSources } from '../syntax/imports.ts';
import { isEditableSource } from '../syntax/source-files.ts';

/** Files, among those that the test names, whose imports are followed as well. */
const MAX_FOLLOWED = 5;
const DECLARATION =
  /\bexport\s+(?:default\s+)?(?:async\s+)?(?:function\*?|class|const|let|var|enum|abstract\s+class)\s+([\w$]+)|\bexports\.([\w$]+)\s*=/g;

/**
 * Sources that a test file reaches, relative to the root, nearest first. If there are more than `limit`, for example
 * behind an index that re-exports everything, files come first whose name or declarations the test file mentions,
 * then what those import, then the nearest. `isSource` decides what counts as a source.
 */
export async function likelySources(
  root: string,
  testFile: string,
  {
    limit,
    isSource = isEditableSource,
  }: { readonly limit: number; readonly isSource?: (file: string) => boolean },
): Promise<string[]> {
  const reached = reachedSources(root, testFile, isSource).map(({ file }) => file);
  if (reached.length <= limit) return reached;
  const words = new Set((await textOf(root, testFile)).match(/[\w$]+/g) ?? []);
  const named: string[] = [];
  for (const file of reached) {
    if (named.length >= limit) break;
    const name = basename(file, extname(file));
    if ((name !== 'index' && words.has(name)) || declares(await textOf(root, file), words)) named.push(file);
  }
  const imported = named
    .slice(0, MAX_FOLLOWED)
    .flatMap((file) => reachedSources(root, file, isSource).map((found) => found.file));
  return [...new Set([...named, ...imported.slice(0, limit), ...reached])].slice(0, limit);
}

function declares(text: string, words: ReadonlySet<string>): boolean {
  return [...text.matchAll(DECLARATION)].some(([, name, property]) => words.has((name ?? property)!));
}

async function textOf(root: string, file: string): Promise<string> {
  return await readTreeText(join(root, file)).catch(() => '');
}
