import { posix } from 'node:path';
import { matcherOf } from '../globs.ts';

/**
 * Protection of a file: `whole` may not change, `tests` protects the tests in a source, or the whole of a file that is only
 * tests, `keys` protects some keys of a package.json, `free` may change.
 */
export type Protection = 'whole' | 'tests' | 'keys' | 'free';

export interface ProtectionRules {
  /** True if the user allows changes to this path. */
  isAllowed(path: string): boolean;
  /** Protection of a file that the base has. */
  existing(path: string): Protection;
  /** True if a new file at this path would change how the checks run. */
  refusesNew(path: string): boolean;
}

export interface ProtectionGlobs {
  /** The user's globs, in addition to the defaults; new files that match are refused too. */
  readonly protect: readonly string[];
  /** Globs of files that may change; they override every other rule. */
  readonly allow: readonly string[];
  /** Further files that checks depend on. */
  readonly extra: readonly string[];
  /** Files from which a test was reported. */
  readonly tested?: readonly string[];
  /** Files that belong to the product although their folder is named like one of tests. */
  readonly product?: readonly string[];
}

/** Configuration of tests, types, lint and packages: may be neither changed nor added anywhere. */
const CONFIGURATION = [
  '{vite,vitest,jest,ava,playwright,cypress,nyc,babel,eslint,ralph}.config.{js,mjs,cjs,ts,mts,cts,json}',
  'vitest.workspace.*',
  'vitest.projects.*',
  'jest-preset.*',
  'karma.conf.*',
  '.mocharc*',
  'mocha.opts',
  '.c8rc*',
  '.nycrc*',
  '.babelrc*',
  'postcss.config.*',
  '.postcssrc*',
  '.swcrc',
  '.taprc',
  'tsconfig*.json',
  'jsconfig*.json',
  '.eslintrc*',
  '.eslintignore',
  'eslint-suppressions.json',
  'biome.json',
  'biome.jsonc',
  'bunfig.toml',
  'node.config.json',
  '.npmrc',
  '.npmignore',
  '.yarnrc*',
  '.pnpmfile.cjs',
  'pnpm-workspace.yaml',
  'turbo.json',
  'nx.json',
  '.node-version',
  '.nvmrc',
  '/.aiwg',
];

/** Hooks and the settings of their managers: they run with the user's rights at the user's next commit. Neither changed nor added. */
const HOOKS = [
  '.husky',
  '.githooks',
  '.git-hooks',
  '{.,}lefthook{-local,}.{yml,yaml,toml,json}',
  '.pre-commit-config.{yml,yaml}',
  '.lintstagedrc*',
  'lint-staged.config.*',
  '.simple-git-hooks.*',
  'simple-git-hooks.*',
];

/** May not be added, because a new one replaces the real module without being named in a test. */
const SHADOWING = ['__mocks__'];

const ENVIRONMENT = ['.env', '.env.*'];
/** Samples for people, which no program reads. */
const ENVIRONMENT_SAMPLES = ['.env.{example,sample,template,dist}', '.env.*.{example,sample,template,dist}'];

/** Tests by the name of the file. */
const NAMED_TESTS = ['*.{test,spec}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}', '*.snap', '{vitest,jest}.setup.*'];
/** Tests and the data they compare with: may not be changed, but new ones may be added. */
const TESTS = [
  ...NAMED_TESTS,
  '**/{test,tests,__tests__,spec,e2e}/**',
  '**/{__snapshots__,__mocks__,fixtures}/**',
];
/** Lock files of package managers. */
export const LOCK_FILES = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
];
/** Lock files and pipelines: may not be changed, but new ones may be added. */
const LOCKS = [...LOCK_FILES, '/.github/workflows/**'];

/** Temporary bundle of a Vite configuration, which stays if Vite is killed while it reads it. */
const BUNDLED_CONFIGURATION = /\.timestamp-\d+-[0-9a-f]+\.mjs$/;

const isConfigurationPath = matcherOf(CONFIGURATION);
const isTestPath = matcherOf(TESTS);
const isNamedTestPath = matcherOf(NAMED_TESTS);

/** True if a file, by its path, configures the checks. */
export function isConfiguration(path: string): boolean {
  return isConfigurationPath(path);
}

/** True if a file, by its path, is a test or data that a test compares with. */
export function isTest(path: string): boolean {
  return isTestPath(path);
}

/** True if a file is a test by its own name, whatever its folder is called. */
export function isNamedTest(path: string): boolean {
  return isNamedTestPath(path);
}

const isEnvironmentPath = matcherOf(ENVIRONMENT);
const isSamplePath = matcherOf(ENVIRONMENT_SAMPLES);

/** True for a `.env` file, unless it is a sample for people. */
export function isEnvironment(path: string): boolean {
  return isEnvironmentPath(path) && !isSamplePath(path);
}

/** The protection rules of one repository. See `matcherOf` for the meaning of globs. */
export function protectionRules({
  protect,
  allow,
  extra,
  tested = [],
  product = [],
}: ProtectionGlobs): ProtectionRules {
  const isAllowed = matcherOf(allow);
  const isNamed = matcherOf([...protect, ...extra]);
  const isProduct = new Set(product);
  const hasTests = new Set(tested);
  const isGuarded = matcherOf([
    ...CONFIGURATION,
    ...HOOKS,
    ...ENVIRONMENT,
    ...TESTS,
    ...LOCKS,
    ...protect,
    ...extra,
  ]);
  const isRefused = matcherOf([...CONFIGURATION, ...HOOKS, ...SHADOWING, ...protect]);
  return {
    isAllowed,
    existing(path) {
      if (isAllowed(path)) return 'free';
      if (isProduct.has(path) && !isNamed(path)) return hasTests.has(path) ? 'tests' : 'free';
      if (isGuarded(path)) return 'whole';
      if (hasTests.has(path)) return 'tests';
      return posix.basename(path) === 'package.json' ? 'keys' : 'free';
    },
    refusesNew(path) {
      if (isAllowed(path) || BUNDLED_CONFIGURATION.test(path)) return false;
      return isRefused(path) || isEnvironment(path);
    },
  };
}
