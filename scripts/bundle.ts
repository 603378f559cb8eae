/** The program as it is installed: `src` and the packages that it uses, joined by rolldown with its ordinary settings. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Started by a user or imported by a program; `schema/compiler` is loaded on demand, and by `require`. */
const PROGRAM = ['cli/main', 'index', 'schema/compiler'];

/** Loaded into processes and workers that ralph starts: test runners, type checks, searches through files. */
const GUESTS = [
  'agents/tools/scan-worker',
  'checks/reporters/*',
  'repair/fixers/type-fixes',
  'repair/fixers/member-types',
  'repair/trial/runtime',
];

/** Writes the modules above into `dist`, each under its path in `src`, and what several of them share into `dist/chunks`. */
export async function bundle(source: string, dist: string): Promise<void> {
  for (const modules of [PROGRAM, GUESTS]) {
    const files = globSync(
      modules.map((module) => `${module}.ts`),
      { cwd: source },
    );
    const build = await rolldown({
      input: Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), join(source, file)])),
      platform: 'node',
    });
    await build.write({
      dir: dist,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      minify: { compress: false, mangle: false, codegen: true },
    });
    await build.close();
  }
}
