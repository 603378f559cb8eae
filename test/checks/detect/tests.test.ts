import { describe, expect, test } from 'vitest';
import { detectProject } from '../../../src/checks/detect/index.ts';
import type { CheckPlan, ProjectPlan } from '../../../src/ports/plan.ts';
import type { Files } from '../../support/repositories.ts';
import { folderWith, installed } from './package-folder.ts';

async function detect(manifest: object, files: Files = {}, packageDir = '.'): Promise<ProjectPlan> {
  const root = folderWith({ 'package.json': manifest, ...files });
  return detectProject({ root, packageDir, config: {} });
}

function testsOf(plan: ProjectPlan): CheckPlan[] {
  return plan.checks.filter((check) => check.kind === 'tests');
}

const TEST_FILE = { 'test/a.test.js': "import test from 'node:test';" };

describe('a test script with a known runner', () => {
  test.each([
    ['vitest', 'node_modules/vitest/vitest.mjs'],
    ['jest', 'node_modules/jest/bin/jest.js'],
    ['mocha', 'node_modules/mocha/bin/mocha.js'],
    ['ava', 'node_modules/ava/entrypoints/cli.mjs'],
  ])('%s becomes a check with its entry file and version', async (tool, bin) => {
    const plan = await detect({ scripts: { test: tool } }, installed(`${tool}@5.1.1`));
    expect(testsOf(plan)).toMatchObject([
      {
        name: 'tests',
        tool,
        bin,
        version: '5.1.1',
        cwd: '.',
        weight: 0.5,
        source: 'package.json#scripts.test',
      },
    ]);
    expect(plan.testCommand).toMatchObject({ command: 'npm test', cwd: '.' });
  });

  test('a check of node:test has no entry file', async () => {
    const [check] = testsOf(await detect({ scripts: { test: 'node --test' } }));
    expect(check).toMatchObject({ tool: 'node', version: process.versions.node });
    expect(check!.bin).toBeUndefined();
  });

  test('a runner that is not installed is an error with the install command', async () => {
    const files = { ...installed('left-pad'), 'pnpm-lock.yaml': '' };
    await expect(detect({ scripts: { test: 'npx vitest run' } }, files)).rejects.toMatchObject({
      code: 'no_dependencies',
      exitCode: 6,
      hint: expect.stringContaining('pnpm install --frozen-lockfile') as string,
    });
  });

  test('builds in front of the runner become its setup, lint and type checks do not', async () => {
    const scripts = {
      pretest: 'npm run lint',
      lint: 'eslint .',
      build: 'rollup -c',
      test: 'npm run build && A=1 mocha -b',
    };
    const [check] = testsOf(await detect({ scripts }, installed('mocha')));
    expect(check).toMatchObject({ tool: 'mocha', setup: ['npm run build'], args: [], env: { A: '1' } });
  });

  test('several runners become several checks that share the weight', async () => {
    const scripts = { test: 'jest && npm run gen && mocha test/e2e && jest', gen: 'node gen.js' };
    const checks = testsOf(await detect({ scripts }, installed('jest', 'mocha')));
    expect(checks).toMatchObject([
      { name: 'tests', tool: 'jest', setup: [], weight: 0.25 },
      { name: 'tests-2', tool: 'mocha', setup: ['npm run gen'], args: ['test/e2e'], weight: 0.25 },
    ]);
  });

  test('an unknown test program next to a known one is checked by its exit code', async () => {
    const checks = testsOf(await detect({ scripts: { test: 'jest && playwright test' } }, installed('jest')));
    expect(checks).toMatchObject([
      { tool: 'jest' },
      {
        name: 'tests-2',
        tool: 'command',
        args: ['PLAYWRIGHT_JUNIT_OUTPUT_NAME={report} playwright test --reporter=junit'],
      },
    ]);
  });

  test('a command after the tests is noted and not run', async () => {
    const plan = await detect({ scripts: { test: 'jest', posttest: 'size-limit' } }, installed('jest'));
    expect(plan.notes).toContainEqual(expect.stringContaining('"size-limit" runs after the tests'));
  });

  test('a setup command in another folder starts with cd', async () => {
    const scripts = { test: 'node gen.js && cd app && vitest run' };
    const files = { ...installed('vitest'), 'app/vitest.config.ts': '' };
    expect(testsOf(await detect({ scripts }, files))).toMatchObject([
      {
        cwd: 'app',
        config: 'app/vitest.config.ts',
        setup: ['cd .. && node gen.js'],
        bin: 'node_modules/vitest/vitest.mjs',
      },
    ]);
  });

  test.each([
    [{ 'vitest.config.ts': '', 'vite.config.ts': '' }, 'vitest.config.ts'],
    [{ 'vite.config.ts': '' }, 'vite.config.ts'],
    [{}, undefined],
  ])('finds the configuration file with precedence (%#)', async (files, config) => {
    const [check] = testsOf(
      await detect({ scripts: { test: 'vitest' } }, { ...installed('vitest'), ...files }),
    );
    expect(check?.config).toBe(config);
  });

  test('a configuration file named by the script takes precedence', async () => {
    const files = { ...installed('jest'), 'jest.config.js': '', 'conf/unit.js': '' };
    const [check] = testsOf(await detect({ scripts: { test: 'jest -c conf/unit.js' } }, files));
    expect(check?.config).toBe('conf/unit.js');
  });

  test('a script that watches for changes cannot confirm a result', async () => {
    const plan = await detect({ scripts: { test: 'vitest --watch' } }, installed('vitest'));
    expect(plan.testCommand).toBeUndefined();
    expect(testsOf(plan)).toMatchObject([{ tool: 'vitest', args: [] }]);
    expect(plan.notes).toContainEqual(expect.stringContaining('watches for changes'));
  });
});

describe('a test script without a known runner', () => {
  test.each(['turbo run test', 'npm test --workspaces', './run-tests.sh', '(cd a && jest)'])(
    '%s is checked as a whole by its exit code',
    async (script) => {
      const plan = await detect({ scripts: { test: script } });
      expect(testsOf(plan)).toMatchObject([
        { name: 'tests', tool: 'command', args: ['npm test'], setup: [] },
      ]);
    },
  );

  test.each([
    ['tape test.js', 'tape test.js'],
    ['nyc --reporter=lcov tape "test/*.js"', 'tape "test/*.js"'],
    ['c8 --100 npm run unit', 'uvu -r esm test'],
    ['tap', 'tap --reporter=tap --disable-coverage'],
    ['c8 borp --reporter=@jsumners/line-reporter -p "test/*.js"', 'borp -p "test/*.js" --reporter=tap'],
    ['bun test src', 'bun test src --reporter=junit --reporter-outfile={report}'],
    ['jasmine "spec/*.js"', 'jasmine "spec/*.js" --reporter={jasmine-tap}'],
    ['node tests/run.js | tap-spec', 'node tests/run.js'],
  ])('%s is called directly, without coverage and with a report', async (script, line) => {
    const plan = await detect({ scripts: { test: script, unit: 'uvu -r esm test', pretest: 'node gen.js' } });
    expect(testsOf(plan)).toMatchObject([{ tool: 'command', args: [line], setup: ['node gen.js'] }]);
    expect(plan.testCommand).toMatchObject({ command: 'npm test', cwd: '.' });
  });

  test('a script that imports node:test is run by that runner', async () => {
    const scripts = { test: 'npm run api', api: 'node --conditions development test/index.js' };
    const files = { 'test/index.js': "import './a.js';", 'test/a.js': "import test from 'node:test';" };
    expect(testsOf(await detect({ scripts }, files))).toMatchObject([
      { tool: 'node', args: ['--conditions', 'development', 'test/index.js'] },
    ]);
  });

  test.each([
    ['bnt', ['**/*.{test,spec}.{js,ts}']],
    ['c8 bnt -t pays test/a.test.ts', ['--test-name-pattern=pays', 'test/a.test.ts']],
  ])('%s of better-node-test is the runner of Node that it starts', async (script, args) => {
    expect(testsOf(await detect({ scripts: { test: script } }))).toMatchObject([
      { tool: 'node', args, env: { NODE_ENV: 'test' } },
    ]);
  });

  test('a limit of coverage that better-node-test is given is measured by Node', async () => {
    const [check] = testsOf(
      await detect({ scripts: { test: "bnt --coverage 90 --coverage-exclude 'a/*'" } }),
    );
    expect(check?.coverage).toEqual({
      options: [
        '--experimental-test-coverage',
        ...['--test-coverage-exclude', '**/*.test.*', '--test-coverage-exclude', '**/test/**'],
        '--test-coverage-lines=90',
        ...['--test-coverage-exclude', 'a/*'],
      ],
    });
  });

  test('scripts of wireit run their dependencies and their own command', async () => {
    const wireit = {
      test: { command: 'tape x.js', dependencies: ['build', '../other:build', { script: 'gen' }] },
      build: { command: 'rollup -c' },
    };
    const scripts = { test: 'wireit', build: 'wireit', gen: 'node gen.js' };
    expect(testsOf(await detect({ scripts, wireit }))).toMatchObject([
      { args: ['tape x.js'], setup: ['npm run build', 'npm run gen'] },
    ]);
  });

  test('a build before the tests keeps its redirections, and an extractor that writes is a build', async () => {
    const test = 'node make.js --all > out.js && api-extractor run --local && tape x.js > log.txt';
    expect(testsOf(await detect({ scripts: { test } }))).toMatchObject([
      { args: ['tape x.js'], setup: ['node make.js --all > out.js', 'api-extractor run --local'] },
    ]);
  });

  test('variables that another script sets reach a command', async () => {
    const scripts = { test: 'cross-env A=1 npm run unit', unit: 'tape x.js' };
    expect(testsOf(await detect({ scripts }))).toMatchObject([{ args: ['tape x.js'], env: { A: '1' } }]);
  });

  test('react-scripts runs with CI=true', async () => {
    const plan = await detect({ scripts: { test: 'react-scripts test' } });
    expect(testsOf(plan)).toMatchObject([{ args: ['CI=true npm test'] }]);
    expect(plan.testCommand?.command).toBe('CI=true npm test');
  });

  test("runs tools through yarn with Yarn Plug'n'Play", async () => {
    const files = { '.pnp.cjs': '', 'yarn.lock': '__metadata:\n' };
    const scripts = { test: 'vitest', typecheck: 'tsc --noEmit' };
    const plan = await detect({ scripts, devDependencies: { vitest: '1' } }, files);
    expect(plan.checks.map((check) => [check.tool, check.args[0]])).toEqual([
      ['command', 'yarn vitest run --reporter=junit --outputFile={report} --coverage.enabled=false'],
      ['command', 'yarn tsc --noEmit'],
    ]);
    expect(plan.testCommand?.steps).toMatchObject([{ check: 'tests' }]);
    expect(plan.notes.join(' ')).toContain("Plug'n'Play");
  });

  test.each([
    [
      'jest a',
      'yarn jest a --json --outputFile={report} --testLocationInResults --coverage=false',
      undefined,
    ],
    ['ava', 'yarn ava --tap', 'yarn ava --tap {file}'],
    ['node --test', 'yarn node --test --test-reporter=tap', 'yarn node --test --test-reporter=tap {file}'],
    ['c8 tape -r esm "test/*.js"', `yarn exec 'tape -r esm "test/*.js"'`, 'yarn node -r esm {file}'],
    ['yarn uvu test', 'yarn uvu test', 'yarn node {file}'],
  ])("%s reports its tests with Yarn Plug'n'Play", async (script, line, fileLine) => {
    const files = { '.pnp.cjs': '', 'yarn.lock': '__metadata:\n' };
    const scripts = { test: `yarn build && ${script}`, build: 'node gen.js && tsup' };
    const plan = await detect({ scripts, devDependencies: { jest: '1' } }, files);
    expect(testsOf(plan)).toMatchObject([{ tool: 'command', args: [line], fileLine, setup: ['yarn build'] }]);
    expect(plan.testCommand?.steps).toMatchObject([{ isSetup: true }, { check: 'tests' }]);
  });

  test("a limit of coverage is left to the script itself with Yarn Plug'n'Play", async () => {
    const files = { '.pnp.cjs': '', 'yarn.lock': '__metadata:\n', 'vitest.config.ts': 'thresholds: {}' };
    const scripts = { test: 'vitest --coverage' };
    const plan = await detect({ scripts, devDependencies: { vitest: '1' } }, files);
    expect(plan.testCommand?.steps).toEqual([
      { command: "yarn exec 'vitest --coverage'", cwd: '.', env: {}, check: undefined },
    ]);
  });
});

describe('without a test script that runs tests', () => {
  test.each<[string, object, Files, string]>([
    ['a vitest config', {}, { ...installed('vitest'), 'vitest.config.ts': '' }, 'vitest'],
    ['jest among the dependencies', { devDependencies: { jest: '1' } }, installed('jest'), 'jest'],
    ['a mocha section', { mocha: { spec: 'x' } }, installed('mocha'), 'mocha'],
    ['an .mocharc', {}, { ...installed('mocha'), '.mocharc.json': '{}' }, 'mocha'],
    ['an ava section', { ava: {} }, installed('ava'), 'ava'],
    ['files that import node:test', {}, {}, 'node'],
  ])('test files and %s decide on the runner', async (_, manifest, files, tool) => {
    const plan = await detect(manifest, { ...files, ...TEST_FILE });
    expect(testsOf(plan)).toMatchObject([{ tool }]);
    expect(plan.testCommand).toBeUndefined();
  });

  test('the placeholder of npm init does not count as a test script', async () => {
    const scripts = { test: 'echo "Error: no test specified" && exit 1' };
    await expect(detect({ scripts })).rejects.toMatchObject({ code: 'no_checks', exitCode: 6 });
    const plan = await detect({ scripts }, TEST_FILE);
    expect(plan.testCommand).toBeUndefined();
    expect(testsOf(plan)).toMatchObject([{ tool: 'node' }]);
  });

  test('a runner without test files is not detected', async () => {
    const manifest = { devDependencies: { jest: '1' } };
    await expect(detect(manifest, installed('jest'))).rejects.toMatchObject({ code: 'no_checks' });
  });

  test('test files for a runner that is not installed are not detected', async () => {
    await expect(detect({}, { 'a.test.js': "import { test } from 'vitest';" })).rejects.toMatchObject({
      code: 'no_checks',
      hint: expect.stringContaining('--check tests=') as string,
    });
  });
});

describe('a package of a workspace', () => {
  const files: Files = {
    'packages/a/package.json': { scripts: { test: 'vitest run' } },
    'packages/a/src/x.ts': '',
    'packages/b/package.json': { name: 'b' },
    'pnpm-lock.yaml': '',
    ...installed('vitest'),
  };

  test('runs its own tests with the runner of the root', async () => {
    const plan = await detect({ scripts: { test: 'turbo test' } }, files, 'packages/a');
    expect(testsOf(plan)).toMatchObject([
      { tool: 'vitest', cwd: 'packages/a', bin: 'node_modules/vitest/vitest.mjs' },
    ]);
    expect(plan).toMatchObject({
      packageDir: 'packages/a',
      testCommand: { command: 'pnpm test', cwd: 'packages/a' },
    });
  });

  test('without tests of its own uses the tests of the package above', async () => {
    const plan = await detect({ scripts: { test: 'vitest run' } }, files, 'packages/b');
    expect(testsOf(plan)).toMatchObject([{ tool: 'vitest', cwd: '.' }]);
    expect(plan.testCommand).toMatchObject({ command: 'pnpm test', cwd: '.' });
  });

  test('gets the absolute path of a runner that is installed above the repository', async () => {
    const above = folderWith({ ...installed('jest'), 'repo/package.json': { scripts: { test: 'jest' } } });
    const plan = await detectProject({ root: `${above}/repo`, packageDir: '.', config: {} });
    expect(testsOf(plan)).toMatchObject([{ bin: `${above}/node_modules/jest/bin/jest.js` }]);
  });
});

test.each([
  ['tape -r esm "test/*.js"', 'node -r esm {file}'],
  ['uvu -r tsm tests', 'node -r tsm {file}'],
  ['c8 tap --timeout=5 test', 'tap --timeout=5 --reporter=tap --disable-coverage --timeout=0 {file}'],
  ['node test/all.js', 'node {file}'],
  ['jasmine --random=false spec', 'jasmine --random=false --reporter={jasmine-tap} {file}'],
  ['zora', undefined],
])('%s runs one file by: %s', async (line, expected) => {
  const plan = await detect({ scripts: { test: line } }, { ...installed('tap@18.0.0'), ...TEST_FILE });
  expect(testsOf(plan)[0]!.fileLine).toBe(expected);
});
