import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { reachedSources } from '../syntax/imports.ts';

/** Files whose own imports are followed as well. */
const MAX_NAMED = 5;
const DECLARED =
  /\bexport\s+(?:default\s+)?(?:async\s+)?(?:function\*?|class|const|let|var|enum|abstract\s+class)\s+([\w$]+)|\bexports\.([\w$]+)\s*=/g;

/**
 * The files that a test file most likely tests, of all that it reaches: where they are more than `limit`, as
 * behind a file that only exports others, those come first that declare a name which the test file uses, or
 * have one as their own name, then what they import, then the nearest. Relative to the root.
 */
export async function likelySources(root: string, testFile: string, limit: number): Promise<string[]> {
  const reached = reachedSources(root, testFile).map(({ file }) => file);
  if (reached.length <= limit) return reached;
  const words = new Set((await textOf(root, testFile)).match(/[\w$]+/g) ?? []);
  const named: string[] = [];
  for (const file of reached) {
    if (named.length >= limit) break;
    const name = basename(file, extname(file));
    if ((name !== 'index' && words.has(name)) || declares(await textOf(root, file), words)) named.push(file);
  }
  const imported = named
    .slice(0, MAX_NAMED)
    .flatMap((file) => reachedSources(root, file).map((found) => found.file));
  return [...new Set([...named, ...imported.slice(0, limit), ...reached])].slice(0, limit);
}

function declares(text: string, words: ReadonlySet<string>): boolean {
  return [...text.matchAll(DECLARED)].some(([, name, property]) => words.has((name ?? property)!));
}

async function textOf(root: string, file: string): Promise<string> {
  return await readFile(join(root, file), 'utf8').catch(() => '');
}
