import { posix } from 'node:path';
import { matcherOf } from '../globs.ts';

/** How a path is kept. `whole`: as the base has it; `keys`: a manifest, key by key; `free`: the actor's. */
export type Protection = 'whole' | 'keys' | 'free';

export interface ProtectionRules {
  /** True where the user lets the actor do as it likes. */
  isAllowed(path: string): boolean;
  /** Of a file that the base has. */
  existing(path: string): Protection;
  /** True where a file that the base does not have would change what the checks do. */
  refusesNew(path: string): boolean;
}

export interface ProtectionGlobs {
  /** The user's, beside the defaults; new files that match are refused as well. */
  readonly protect: readonly string[];
  /** Lifts everything else. */
  readonly allow: readonly string[];
  /** Files that checks were found to rest on. */
  readonly extra: readonly string[];
}

/** What decides how tests, types and lint run: may neither be changed nor be added anywhere. */
const CONFIGURATION = [
  '{vite,vitest,jest,ava,playwright,cypress,nyc,babel,eslint,ralph}.config.{js,mjs,cjs,ts,mts,cts,json}',
  ...['vitest.workspace.*', 'vitest.projects.*', 'jest-preset.*', 'karma.conf.*', '.mocharc*', 'mocha.opts'],
  ...['.c8rc*', '.nycrc*', '.babelrc*', '.swcrc', '.taprc', 'tsconfig*.json', 'jsconfig*.json'],
  ...['.eslintrc*', '.eslintignore', 'eslint-suppressions.json', 'biome.json', 'biome.jsonc', 'bunfig.toml'],
  ...['.npmrc', '.yarnrc*', '.pnpmfile.cjs', 'pnpm-workspace.yaml', 'turbo.json', 'nx.json'],
  ...['.node-version', '.nvmrc', '/.aiwg'],
];

/** A new one of these takes the place of the real module without any test naming it. */
const SHADOWING = ['__mocks__'];

const ENVIRONMENT = ['.env', '.env.*'];
/** Shown to people, read by no program. */
const ENVIRONMENT_SAMPLES = ['.env.{example,sample,template,dist}', '.env.*.{example,sample,template,dist}'];

/** Tests and what they compare with, lock files, pipelines: may not be changed, new ones are welcome. */
const TESTS = [
  '*.{test,spec}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}',
  ...['**/{test,tests,__tests__,spec,e2e}/**', '**/{__snapshots__,__mocks__,fixtures}/**', '*.snap'],
  '{vitest,jest}.setup.*',
];
const LOCKS = [
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb'],
  '/.github/workflows/**',
];

/** Vite writes its configuration so while it reads it, and leaves it behind where it is killed. */
const BUNDLED_CONFIGURATION = /\.timestamp-\d+-[0-9a-f]+\.mjs$/;

const isConfigurationPath = matcherOf(CONFIGURATION);
const isTestPath = matcherOf(TESTS);

/** True for what decides how checks run, by its name. */
export function isConfiguration(path: string): boolean {
  return isConfigurationPath(path);
}

/** True for tests and what they compare with, by their names. */
export function isTest(path: string): boolean {
  return isTestPath(path);
}

/** The rules for one repository. Globs without a slash match the name in any folder; a folder means all in it. */
export function protectionRules({ protect, allow, extra }: ProtectionGlobs): ProtectionRules {
  const isAllowed = matcherOf(allow);
  const isGuarded = matcherOf([...CONFIGURATION, ...ENVIRONMENT, ...TESTS, ...LOCKS, ...protect, ...extra]);
  const isRefused = matcherOf([...CONFIGURATION, ...SHADOWING, ...protect]);
  const isEnvironment = matcherOf(ENVIRONMENT);
  const isSample = matcherOf(ENVIRONMENT_SAMPLES);
  return {
    isAllowed,
    existing(path) {
      if (isAllowed(path)) return 'free';
      if (isGuarded(path)) return 'whole';
      return posix.basename(path) === 'package.json' ? 'keys' : 'free';
    },
    refusesNew(path) {
      if (isAllowed(path) || BUNDLED_CONFIGURATION.test(path)) return false;
      return isRefused(path) || (isEnvironment(path) && !isSample(path));
    },
  };
}
