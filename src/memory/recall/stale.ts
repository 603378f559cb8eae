import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lesson } from '../../schema/generated.ts';
import { liesInRepository } from '../../platform/ralph-folder.ts';

const NAMED_VERSION =
  /(?<![\w@/.-])(@?[a-z\d][\w.-]*(?:\/[\w.-]+)?)(?:@| v?(?=\d+\.\d))v?(\d+(?:\.\d+){0,2})(?![\w.]*\w)/gi;

/**
 * Why a lesson may be out of date in this repository, as a sentence: every file that it is about is gone, or a
 * dependency is not installed in the version that its text names. Undefined where it is not. Never throws.
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
      return `It is about ${name} ${version}, and ${installed} is installed.`;
  }
  return undefined;
}

/** Undefined where no such package is installed. */
function installedVersion(repositoryRoot: string, name: string): string | undefined {
  try {
    const path = join(repositoryRoot, 'node_modules', name, 'package.json');
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** `1.6.2` is within `1`, `1.6` and `1.6.2`. */
function isWithin(installed: string, named: string): boolean {
  const parts = installed.split(/[.+-]/);
  return named.split('.').every((part, index) => part === parts[index]);
}
