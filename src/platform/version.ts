import { readFileSync } from 'node:fs';
import { packageFile } from './package-files.ts';

/** The version in this package's package.json. */
export function version(): string {
  const path = packageFile('package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
