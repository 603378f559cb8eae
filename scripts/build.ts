/** `src` and `schemas` → `dist`, anew: nothing of an older build stays behind. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleDeclarations, bundlePrograms, bundleSchemas } from './bundle.ts';
import { compileSchemas } from './compile-schemas.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
// Style sheet and script of the report, which are put into each page.
cpSync(join(source, 'report', 'page', 'assets'), join(dist, 'report', 'page', 'assets'), { recursive: true });
await bundlePrograms(source, dist);
// Below the package, so that the compiled schemas find ajv.
const compiled = mkdtempSync(join(root, 'node_modules', '.ralph-schemas-'));
compileSchemas(compiled);
await bundleSchemas(compiled, join(dist, 'schema', 'compiled'));
rmSync(compiled, { recursive: true });
// The action, which installs no compiler, only runs the program.
if (!process.argv.includes('--no-types')) await bundleDeclarations(source, dist);
