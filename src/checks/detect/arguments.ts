/** Programs whose arguments are read; every other program is run as it is written. */
export type KnownProgram = 'vitest' | 'jest' | 'mocha' | 'node' | 'ava' | 'tsc' | 'eslint';

interface OptionRules {
  /** Options without a value that are left out. */
  readonly drop: readonly string[];
  /** Options that are left out with their value. */
  readonly dropWithValue: readonly string[];
  /** Options that stay and whose value is the next word. */
  readonly keepWithValue: readonly string[];
  /** First words that name a mode, not a file. */
  readonly modes?: readonly string[];
  /** Options that never end. */
  readonly watch: readonly string[];
}

const list = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/**
 * What stays selects files, configuration and environment. What goes: watching, reports, coverage, writing
 * snapshots or fixes, retries, stopping early, caches (names from each tool's command line reference).
 */
const RULES: Readonly<Record<KnownProgram, OptionRules>> = {
  vitest: {
    drop: list(`--run --ui --open --silent --passWithNoTests --update -u --bail --retry --standalone --color
      --no-color --clearScreen --no-clearScreen --hideSkippedTests --logHeapUsage --coverage --no-coverage
      --inspect --inspect-brk --changed --printConsoleTrace --watch -w --no-watch`),
    dropWithValue: list(`--coverage.provider --coverage.reporter --coverage.include --coverage.exclude
      --coverage.reportsDirectory --reporter --reporters --outputFile --bail --retry --maxWorkers --minWorkers
      --maxThreads --minThreads --max-workers --min-workers --api --slowTestThreshold`),
    keepWithValue: list(`-c --config -r --root --dir -t --testNamePattern --project --environment --env --pool
      --mode -m --exclude --testTimeout --hookTimeout --teardownTimeout --workspace --sequence.seed
      --typecheck.tsconfig --browser.name --shard --maxConcurrency --tags-filter`),
    modes: ['run', 'watch', 'dev'],
    watch: ['watch', 'dev', '--watch', '-w', '--ui', '--standalone'],
  },
  jest: {
    drop: list(`--watch --watchAll --no-watchman --coverage --collectCoverage --no-coverage --verbose --silent
      --json --ci --no-ci --passWithNoTests --updateSnapshot -u --bail -b --notify --logHeapUsage --color
      --colors --no-color --no-colors --onlyChanged -o --lastCommit --onlyFailures -f --expand -e --no-cache
      --cache --errorOnDeprecated --testLocationInResults --debug --no-verbose --openHandlesTimeout`),
    dropWithValue: list(`--coverageDirectory --coverageReporters --collectCoverageFrom --coverageThreshold
      --coverageProvider --coveragePathIgnorePatterns --reporters --outputFile --notifyMode --changedSince
      --cacheDirectory --testResultsProcessor`),
    keepWithValue: list(`-c --config --rootDir -t --testNamePattern --testPathPattern --testPathPatterns
      --testPathIgnorePatterns --env --testEnvironment --selectProjects --ignoreProjects --projects --testMatch
      --testRegex -w --maxWorkers --testTimeout --setupFiles --setupFilesAfterEnv --roots --runner --preset
      --transform --shard --seed --filter --globals --globalSetup --globalTeardown --moduleNameMapper
      --modulePathIgnorePatterns --testSequencer --testRunner --testEnvironmentOptions --maxConcurrency
      --workerThreads --moduleFileExtensions`),
    watch: ['--watch', '--watchAll'],
  },
  mocha: {
    drop: list(`--watch -w --bail -b --color --colors -c --no-color --no-colors -C --full-trace --inline-diffs
      --diff --no-diff --growl -G --dry-run --pass-on-failing-test-suite --fail-zero --inspect --inspect-brk`),
    dropWithValue: list(`--reporter -R --reporter-option --reporter-options -O --retries --watch-files
      --watch-ignore`),
    keepWithValue: list(`--config --opts --package --require -r --import --loader --experimental-loader
      --timeout --timeouts -t --slow -s --ui -u --file --ignore --exclude --extension --spec --grep -g --fgrep -f
      --jobs -j --conditions -n --node-option`),
    modes: ['run', 'test'],
    watch: ['--watch', '-w'],
  },
  node: {
    drop: list(`--test --watch --experimental-test-coverage --test-update-snapshots --inspect --inspect-brk
      --no-warnings=ExperimentalWarning --test-only=false --trace-uncaught`),
    dropWithValue: list(`--test-reporter --test-reporter-destination --test-coverage-include
      --test-coverage-exclude --test-coverage-lines --test-coverage-branches --test-coverage-functions
      --test-rerun-failures --watch-path`),
    keepWithValue: list(`--require -r --import --loader --experimental-loader --conditions -C --env-file
      --env-file-if-exists --test-name-pattern --test-skip-pattern --test-concurrency --test-timeout
      --test-shard --test-isolation --test-global-setup --test-tags --experimental-config-file`),
    watch: ['--watch'],
  },
  ava: {
    drop: list(`--watch -w --tap -t --verbose -v --fail-fast --update-snapshots -u --color --no-color
      --no-verbose`),
    dropWithValue: [],
    keepWithValue: list(`--config --match -m --timeout -T --concurrency -c --node-arguments --environment`),
    modes: ['reset-cache', 'debug'],
    watch: ['--watch', '-w'],
  },
  tsc: {
    drop: list(`--noEmit --watch -w --pretty --incremental --preserveWatchOutput --diagnostics
      --extendedDiagnostics --listFiles --listEmittedFiles --traceResolution --build -b --force -f --verbose -v
      --dry -d --emitDeclarationOnly --stopBuildOnErrors`),
    dropWithValue: ['--tsBuildInfoFile', '--generateTrace', '--generateCpuProfile'],
    keepWithValue:
      list(`-p --project --target -t --module -m --moduleResolution --lib --jsx --rootDir --outDir
      --types --typeRoots --baseUrl --jsxFactory --jsxImportSource --customConditions --moduleDetection
      --ignoreDeprecations --newLine --declarationDir`),
    watch: ['--watch', '-w'],
  },
  eslint: {
    drop: list(`--fix --fix-dry-run --cache --no-cache --color --no-color --debug --stats --init
      --pass-on-no-patterns --suppress-all --prune-suppressions`),
    dropWithValue:
      list(`--format -f --output-file -o --cache-location --cache-file --cache-strategy --fix-type
      --suppress-rule --concurrency`),
    keepWithValue:
      list(`-c --config --ext --max-warnings --rule --rulesdir --ignore-path --ignore-pattern --env
      --global --parser --parser-options --plugin --resolve-plugins-relative-to --report-unused-disable-directives-severity
      --suppressions-location --flag --stdin-filename`),
    watch: [],
  },
};

/** The arguments that a check keeps, in their order. */
export function keepArguments(program: KnownProgram, args: readonly string[]): string[] {
  const rules = RULES[program];
  const kept = group(rules, args).filter(([word]) => !isDropped(rules, word));
  return kept.flat();
}

/** The arguments that are neither options nor values of options: files, folders, patterns. */
export function operandsOf(program: KnownProgram, args: readonly string[]): string[] {
  return group(RULES[program], args)
    .filter(([word]) => !word.startsWith('-'))
    .flat();
}

/** Whether the arguments make the program wait for changes for ever. */
export function isWatching(program: KnownProgram, args: readonly string[]): boolean {
  const { watch } = RULES[program];
  return args.some((word, at) => watch.includes(word) && (word.startsWith('-') || at === 0));
}

/** Each option with its value, each other word alone; a mode in front is left out. */
function group(rules: OptionRules, args: readonly string[]): [word: string, ...value: string[]][] {
  const words = rules.modes?.includes(args[0] ?? '') === true ? args.slice(1) : args;
  const groups: [string, ...string[]][] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const next = words[at + 1];
    if (next !== undefined && takesNext(rules, word, next)) {
      groups.push([word, next]);
      at++;
    } else groups.push([word]);
  }
  return groups;
}

function takesNext(rules: OptionRules, word: string, next: string): boolean {
  if (!word.startsWith('-') || word.includes('=')) return false;
  if (next === 'true' || next === 'false') return true;
  if (rules.keepWithValue.includes(word) || rules.dropWithValue.includes(word)) return true;
  // `--bail 1`: a number after an option that may stand alone can only be its value.
  return rules.drop.includes(word) && /^\d+$/.test(next);
}

function isDropped(rules: OptionRules, word: string): boolean {
  if (!word.startsWith('-')) return false;
  const name = word.replace(/=.*$/s, '');
  const names = [...rules.drop, ...rules.dropWithValue];
  return names.includes(name) || names.includes(word) || name.startsWith('--coverage.');
}
