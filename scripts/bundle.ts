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
  'checks/run/build-changed',
  'proof/guests/*',
  'repair/fixers/type-fixes',
  'repair/fixers/member-types',
  'repair/trial/runtime',
];

/** Writes each compiled schema of a folder as a module with the schema's check as its default export. */
export async function bundleSchemas(compiled: string, target: string): Promise<void> {
  const files = globSync('*.cjs', { cwd: compiled });
  await write(
    Object.fromEntries(files.map((file) => [file.replace(/\.cjs$/, ''), join(compiled, file)])),
    target,
  );
}

/** Writes the modules above into `dist`, each under its path in `src`, and what several of them share into `dist/chunks`. */
export async function bundlePrograms(source: string, dist: string): Promise<void> {
  for (const modules of [PROGRAM, GUESTS]) {
    const files = globSync(
      modules.map((module) => `${module}.ts`),
      { cwd: source },
    );
    await write(
      Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), join(source, file)])),
      dist,
    );
  }
}

/** Writes `dist/index.d.ts`: the types of the public API in one file that needs no other package. */
export async function bundleDeclarations(source: string, dist: string): Promise<void> {
  const { dts } = await import('rolldown-plugin-dts');
  const build = await rolldown({
    input: { index: join(source, 'index.ts') },
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    plugins: [dts({ emitDtsOnly: true })],
  });
  await build.write({ dir: dist, format: 'esm', entryFileNames: '[name].js' });
  await build.close();
}

async function write(input: Readonly<Record<string, string>>, dir: string): Promise<void> {
  const build = await rolldown({ input, platform: 'node' });
  await build.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: { compress: false, mangle: false, codegen: true },
  });
  await build.close();
}
