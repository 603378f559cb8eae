import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Lesson } from '../../schema/generated.ts';
import { liesInRepository } from '../../platform/ralph-folder.ts';
import { readOwnFile } from '../../platform/files/read-bounded.ts';

const NAMED_VERSION =
  /(?<![\w@/.-])(@?[a-z\d][\w.-]*(?:\/[\w.-]+)?)(?:@| v?(?=\d+\.\d))v?(\d+(?:\.\d+){0,2})(?![\w.]*\w)/gi;

/**
 * The reason why a lesson is stale in this repository, as a sentence: all files that it is about are gone, or its text
 * names a version of a dependency that is not the installed one. Undefined for a lesson that is not stale. Never throws.
 */
export function stalenessOf(
  { files, text }: Pick<Lesson, 'files' | 'text'>,
  repositoryRoot: string,
): string | undefined {
  const isGone = (file: string): boolean => {
    const path = join(repositoryRoot, file);
    return !liesInRepository(repositoryRoot, path) || !existsSync(path);
  };
  if (files.length > 0 && files.every(isGone))
    return `${files.length === 1 ? `${files[0]} is` : `All ${files.length} files that it is about are`} gone.`;
  for (const [, name, version] of text.matchAll(NAMED_VERSION)) {
    const installed = installedVersion(repositoryRoot, name!);
    if (installed !== undefined && !isWithin(installed, version!))
      return `It is about ${name} ${version}, but ${installed} is installed.`;
  }
  return undefined;
}

/** Installed version of a package; undefined where it is not installed. */
function installedVersion(repositoryRoot: string, name: string): string | undefined {
  try {
    const path = join(repositoryRoot, 'node_modules', name, 'package.json');
    const { version } = JSON.parse(readOwnFile(path).toString('utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** True where a version begins with the named one: `1.6.2` matches `1`, `1.6` and `1.6.2`. */
function isWithin(installed: string, named: string): boolean {
  const parts = installed.split(/[.+-]/);
  return named.split('.').every((part, index) => part === parts[index]);
}
