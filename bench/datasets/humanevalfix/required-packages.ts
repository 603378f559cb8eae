import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';

const REQUIRED = /\b(?:require|import)\s*\(\s*(['"])([^'"]+)\1\s*\)|\bfrom\s+(['"])([^'"]+)\3/g;
const NAME = /^(?:@[\w.-]+\/)?[\w.-]+/;

/** Names of the packages that a program imports, each once, without Node's own modules and relative files. */
export function requiredPackages(program: string): string[] {
  const specifiers = [...program.matchAll(REQUIRED)].map((match) => match[2] ?? match[4]!);
  const packages = specifiers
    .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
    .map((specifier) => NAME.exec(specifier)?.[0]);
  return [...new Set(packages.filter((name) => name !== undefined))];
}

/**
 * Links the packages that a program imports into the `node_modules` of its folder, from the packages of the working
 * folder or of ralph itself. A package that neither has is left out; the program then fails with its name.
 */
export async function linkRequiredPackages(folder: string, program: string): Promise<void> {
  for (const name of requiredPackages(program)) {
    const source = installedFolder(name);
    if (source === undefined) continue;
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(source, link, 'dir');
  }
}

function installedFolder(name: string): string | undefined {
  return [join(process.cwd(), 'package.json'), import.meta.filename]
    .flatMap((from) => createRequire(from).resolve.paths(name) ?? [])
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(folder));
}
