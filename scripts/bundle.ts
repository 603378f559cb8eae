/** The program as it is installed: `src` and the packages that it uses, joined by rolldown with its ordinary settings. */
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown, type OutputChunk } from 'rolldown';

/**
 * Started by a user or imported by a program; `schema/compiler` is loaded on demand. CommonJS, since Node loads hundreds of
 * such chunks in half the time: an `import` of one of its own modules reads each of the module's exports.
 */
const PROGRAM = ['cli/main', 'index', 'schema/compiler'];

/** Loaded into processes and workers that ralph starts: test runners, type checks, searches through files, configurations. */
const GUESTS = [
  'agents/tools/scan-worker',
  'checks/reporters/*',
  'checks/run/build-changed',
  'config/module-program',
  'fleet/worker/install-forwarder',
  'proof/guests/*',
  'repair/fixers/type-fixes',
  'repair/fixers/member-types',
  'repair/fixers/type-counts',
  'repair/trial/runtime',
];

/** Writes each compiled schema of a folder as a module with the schema's check as its default export. */
export async function bundleSchemas(compiled: string, target: string): Promise<void> {
  const files = globSync('*.cjs', { cwd: compiled });
  const input = Object.fromEntries(files.map((file) => [file.replace(/\.cjs$/, ''), join(compiled, file)]));
  await write(input, target, 'cjs');
}

/** Writes the modules above into `dist`, each under its path in `src`, and what several of them share into `dist/chunks`. */
export async function bundlePrograms(source: string, dist: string): Promise<void> {
  const chunks = await write(inputOf(PROGRAM, source), dist, 'cjs');
  const { exports } = chunks.find(({ name }) => name === 'index')!;
  // Node finds the names of a CommonJS module by a look at its text alone; here none depends on that.
  writeFileSync(
    join(dist, 'index.js'),
    `import program from './index.cjs';\nexport const { ${exports.join(', ')} } = program;\n`,
  );
  await write(inputOf(GUESTS, source), dist, 'esm');
}

function inputOf(modules: readonly string[], source: string): Record<string, string> {
  const files = globSync(
    modules.map((module) => `${module}.ts`),
    { cwd: source },
  );
  return Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), join(source, file)]));
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

async function write(
  input: Readonly<Record<string, string>>,
  dir: string,
  format: 'cjs' | 'esm',
): Promise<OutputChunk[]> {
  const extension = format === 'cjs' ? 'cjs' : 'js';
  const build = await rolldown({ input, platform: 'node' });
  const { output } = await build.write({
    dir,
    format,
    strict: true,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `chunks/[name]-[hash].${extension}`,
    minify: { compress: false, mangle: false, codegen: true },
  });
  await build.close();
  return output.filter((it) => it.type === 'chunk');
}
