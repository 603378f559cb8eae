/** `src` and `schemas` → `dist`, anew: nothing of an older build stays behind. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { bundle } from './bundle.ts';
import { compileSchemas } from './compile-schemas.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
compileSchemas(join(dist, 'schema', 'compiled'));
// Style sheet and script of the report, which are put into each page.
cpSync(join(source, 'report', 'page', 'assets'), join(dist, 'report', 'page', 'assets'), { recursive: true });
await bundle(source, dist);
// Declarations of what programs import.
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
execaSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
