import { join } from 'node:path';
import type { Lesson } from '../../schema/generated.ts';
import { missingFiles } from '../lessons/missing-files.ts';
import { readOwnFile } from '../../platform/files/read-bounded.ts';

const NAMED_VERSION =
  /(?<![\w@/.-])(@?[a-z\d][\w.-]*(?:\/[\w.-]+)?)(?:@| v?(?=\d+\.\d))v?(\d+(?:\.\d+){0,2})(?![\w.]*\w)/gi;

/**
 * The reason why a lesson is stale in this repository, as a sentence: all files that it is about are gone, its text names a line
 * of a file that does not exist, or a version of a dependency that is not the installed one. Undefined for a lesson that is
 * not stale. Never throws.
 */
export function stalenessOf(
  { files, text }: Pick<Lesson, 'files' | 'text'>,
  repositoryRoot: string,
): string | undefined {
  const gone = missingFiles(repositoryRoot, { text: '', files });
  if (files.length > 0 && gone.length === new Set(files).size)
    return `${files.length === 1 ? `${files[0]} is` : `All ${files.length} files that it is about are`} gone.`;
  const hasLine = (file: string): boolean =>
    text
      .split(`${file}:`)
      .slice(1)
      .some((rest) => /^\d/.test(rest));
  const place = missingFiles(repositoryRoot, { text }).find(hasLine);
  if (place !== undefined) return `It names a line of ${place}, which does not exist.`;
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
