import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { folderOfPackage, manifestOf, type Manifest } from './package-imports.ts';

/** The folder of the package that the source is in, relative to the root; undefined for one that is not published. */
export function publishedFolder(source: string, root: string): string | undefined {
  const folder = folderOfPackage(source, root);
  const isIndexed = folder !== undefined && existsSync(join(root, folder, 'index.js'));
  return folder !== undefined && isPublished(manifestOf(root, folder), isIndexed) ? folder : undefined;
}

/** Keys by which package.json says what a user loads or gets. */
const DELIVERING = ['main', 'module', 'exports', 'bin', 'types', 'files', 'publishConfig'];

function isPublished(manifest: Manifest, isIndexed: boolean): boolean {
  const isNamed = typeof manifest['name'] === 'string' && manifest['private'] !== true;
  return isNamed && (isIndexed || DELIVERING.some((key) => manifest[key] !== undefined));
}
