import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { liesInRepository } from '../../platform/ralph-folder.ts';

/** A file in a folder, as texts name it. */
const FILE = /(?<![\w/.@:*-])((?:[\w@.-]+\/)+[\w@.-]+\.[a-z]{1,5})(?::\d+)?(?![\w/*-])/g;

/** The files that a lesson is about, by its text or its list, and that the repository does not have. */
export function missingFiles(
  repositoryRoot: string,
  { text, files = [] }: { readonly text: string; readonly files?: readonly string[] | undefined },
): string[] {
  const all = new Set([...filesNamedIn(text), ...files]);
  return [...all].filter((file) => !/[*?{]/.test(file) && !hasFile(repositoryRoot, file));
}

export function filesNamedIn(text: string): string[] {
  return [...text.matchAll(FILE)].map(([, file]) => file!).filter((file) => !file.includes('://'));
}

/** Whether a path relative to the root leads to a file or folder of the repository. */
export function hasFile(repositoryRoot: string, file: string): boolean {
  const path = join(repositoryRoot, file);
  return liesInRepository(repositoryRoot, path) && existsSync(path);
}
