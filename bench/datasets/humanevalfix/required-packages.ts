import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';

const REQUIRED = /\b(?:require|import)\s*\(\s*(['"])([^'"]+)\1\s*\)|\bfrom\s+(['"])([^'"]+)\3/g;
const NAME = /^(?:@[\w.-]+\/)?[\w.-]+/;

/** Packages that a program loads, each once; Node's own modules and files beside it are none. */
export function requiredPackages(program: string): string[] {
  const specifiers = [...program.matchAll(REQUIRED)].map((match) => match[2] ?? match[4]!);
  const packages = specifiers
    .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
    .map((specifier) => NAME.exec(specifier)?.[0]);
  return [...new Set(packages.filter((name) => name !== undefined))];
}

/**
 * Links into a folder's `node_modules` what a program in it loads, from the packages that the working folder or
 * ralph itself can load; one that neither can is left out, and the program will say so.
 */
export async function linkRequiredPackages(folder: string, program: string): Promise<void> {
  for (const name of requiredPackages(program)) {
    const place = placeOf(name);
    if (place === undefined) continue;
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(place, link, 'dir');
  }
}

function placeOf(name: string): string | undefined {
  return [join(process.cwd(), 'package.json'), import.meta.filename]
    .flatMap((from) => createRequire(from).resolve.paths(name) ?? [])
    .map((folder) => join(folder, name))
    .find((place) => existsSync(place));
}
