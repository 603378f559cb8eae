/** `src` and `schemas` → `dist`, anew: nothing of an older build stays behind. */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleProgram } from './bundle.ts';
import { compilePrompts } from './compile-prompts.ts';
import { compileSchemas } from './compile-schemas.ts';

const root = join(import.meta.dirname, '..');
rmSync(join(root, 'dist'), { recursive: true, force: true });
execFileSync(
  process.execPath,
  [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json'],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
compileSchemas(join(root, 'dist', 'schema', 'compiled'));
compilePrompts(join(root, 'dist', 'prompts', 'compiled'));
// Style sheet and script of the report, which are put into each page.
const assets = join('report', 'page', 'assets');
cpSync(join(root, 'src', assets), join(root, 'dist', assets), { recursive: true });
await bundleProgram(join(root, 'dist'));
