import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';

/** Chains of alternates longer than this are not followed by git either. */
const MAX_DEPTH = 5;

/** An object store, and those that it reads (gitrepository-layout(5), "objects/info/alternates"). Absolute paths. */
export function objectStores(objects: string, depth = 0): string[] {
  if (depth > MAX_DEPTH || !existsSync(objects)) return [];
  const others = readLines(join(objects, 'info', 'alternates')).map((path) =>
    isAbsolute(path) ? path : resolve(objects, path),
  );
  return [...new Set([objects, ...others.flatMap((path) => objectStores(path, depth + 1))])];
}

/** The content of an alternates file; a path with special characters is quoted as in C. */
export function renderAlternates(stores: readonly string[]): string {
  return stores.map((path) => `${/["\n\\#]/.test(path) ? JSON.stringify(path) : path}\n`).join('');
}

function readLines(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('"'));
}
