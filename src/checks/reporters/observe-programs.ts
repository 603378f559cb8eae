/**
 * Runs in every Node process that a wrapper such as `kcd-scripts test` starts, by `NODE_OPTIONS=--import`. A process
 * that is a test runner, type checker or linter appends its command line to the file `RALPH_OBSERVED` and ends with
 * exit code 0 before it has done anything. Every other process appends its package and goes on.
 */
import { appendFileSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { OBSERVED_FILE, type ObservedProcess, type ObservedProgram } from '../results/observed-program.ts';

/** Programs by the npm package that contains their entry file. */
const PROGRAMS: Readonly<Record<string, string>> = {
  vitest: 'vitest',
  jest: 'jest',
  'jest-cli': 'jest',
  mocha: 'mocha',
  ava: 'ava',
  tap: 'tap',
  '@tapjs/run': 'tap',
  tape: 'tape',
  uvu: 'uvu',
  jasmine: 'jasmine',
  typescript: 'tsc',
  'vue-tsc': 'vue-tsc',
  tsd: 'tsd',
  tstyche: 'tstyche',
  eslint: 'eslint',
  xo: 'xo',
  standard: 'standard',
  gts: 'gts',
  oxlint: 'oxlint',
  '@biomejs/biome': 'biome',
  prettier: 'prettier',
  playwright: 'playwright',
  '@playwright/test': 'playwright',
};
/** Packages that wrappers also call in their own process: their exported `run` starts the runner. */
const RUN_BY_REQUIRE = /^jest(-cli)?$/;

/** Bound here, so that a wrapper that replaces it does not keep a tool running. */
const exit: (code: number) => never = process.exit.bind(process);
const file = process.env[OBSERVED_FILE];
if (file !== undefined && isMainThread) {
  const entry = entryPackage();
  const program =
    entry !== undefined && Object.hasOwn(PROGRAMS, entry.name) ? PROGRAMS[entry.name] : undefined;
  if (entry !== undefined && program !== undefined)
    stop(file, { program, args: process.argv.slice(2), installedIn: entry.installedIn });
  if (process.execArgv.includes('--test')) {
    const own = process.execArgv.filter((word) => !word.includes(import.meta.url) && word !== '--import');
    stop(file, { program: 'node', args: [...own, ...process.argv.slice(1)] });
  }
  note(file, { package: entry?.name ?? null });
  stopAtRun(file);
}

function entryPackage(): { readonly name: string; readonly installedIn: string } | undefined {
  const entry = process.argv[1];
  if (entry === undefined) return undefined;
  const [, installedIn, name] = /(.*)\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(realPath(entry)) ?? [];
  return name === undefined ? undefined : { name, installedIn: installedIn! };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function stop(path: string, tool: Omit<ObservedProgram, 'cwd' | 'env'>): never {
  note(path, { ...tool, cwd: process.cwd(), env: process.env });
  exit(0);
}

function note(path: string, seen: ObservedProgram | ObservedProcess): void {
  appendFileSync(path, `${JSON.stringify(seen)}\n`);
}

interface Loader {
  _load: (request: string, ...rest: unknown[]) => unknown;
}

/** Replaces `require('jest').run`. */
function stopAtRun(path: string): void {
  const loader = module as unknown as Loader;
  const load = loader._load;
  loader._load = function (request, ...rest) {
    const loaded: unknown = Reflect.apply(load, this, [request, ...rest]);
    if (!RUN_BY_REQUIRE.test(request) || typeof loaded !== 'object' || loaded === null) return loaded;
    const run = (args: readonly string[] = process.argv.slice(2)): never =>
      stop(path, { program: 'jest', args, isInWrapper: true });
    return Object.create(loaded, { run: { value: run } }) as unknown;
  };
}
