import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { detectPackageManager } from '../../src/checks/detect/packages/package-manager.ts';
import { readManifest } from '../../src/checks/detect/packages/manifest.ts';

/** Versions for lockfiles whose package.json names none. */
const VERSION = { npm: '10', pnpm: '9', yarn: '1', bun: '1' } as const;

/**
 * The command that installs the dependencies of a package (absolute path). A package manager that is not on the PATH is
 * run by npx, in the version that package.json names.
 */
export function installCommandOf(root: string, path = process.env['PATH'] ?? ''): string {
  const { name, installCommand } = detectPackageManager(root, root);
  const isHere = path.split(delimiter).some((folder) => existsSync(join(folder || '.', name)));
  if (isHere) return installCommand;
  const named = /^\w+@(\d[\w.-]*)/.exec(readManifest(root)?.packageManager ?? '')?.[1];
  return installCommand.replace(name, `npx --yes ${name}@${named ?? VERSION[name]}`);
}
