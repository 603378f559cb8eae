import { describe, expect, test } from 'vitest';
import { detectProject } from '../../../src/checks/detect/index.ts';
import type { CheckPlan, ProjectPlan } from '../../../src/ports/plan.ts';
import type { Files } from '../../support/repositories.ts';
import { folderWith, installed } from './package-folder.ts';

interface Found {
  readonly checks: readonly CheckPlan[];
  readonly notes: readonly string[];
  readonly offers: ProjectPlan['offers'];
}

/** The checks of one kind in a package whose tests are `node --test`. */
async function found(
  kind: CheckPlan['kind'],
  scripts: Record<string, string>,
  files: Files = {},
): Promise<Found> {
  const manifest = { scripts: { test: 'node --test', ...scripts } };
  const root = folderWith({ 'package.json': manifest, ...files });
  const plan: ProjectPlan = await detectProject({ root, packageDir: '.', config: {} });
  const checks = plan.checks.filter((check) => check.kind === kind);
  return { checks, notes: plan.notes, offers: plan.offers };
}

describe('types', () => {
  const files: Files = {
    ...installed('typescript@5.9.2'),
    'tsconfig.json': { compilerOptions: { noEmit: true } },
  };

  test('a tsconfig.json that no script uses is an offer and no check', async () => {
    const { checks, offers } = await found('types', { build: 'rollup -c' }, files);
    expect(checks).toEqual([]);
    expect(offers).toEqual([{ check: 'types', command: 'npx tsc --noEmit', source: 'tsconfig.json' }]);
  });

  test('a script that runs tsc becomes a check with its configuration and version', async () => {
    const { checks, offers } = await found('types', { typecheck: 'tsc' }, files);
    expect(offers).toEqual([]);
    expect(checks).toMatchObject([
      {
        name: 'types',
        tool: 'tsc',
        bin: 'node_modules/typescript/bin/tsc',
        version: '5.9.2',
        config: 'tsconfig.json',
        args: [],
        weight: 0.3,
      },
    ]);
  });

  test('without typescript there is no check, but a note', async () => {
    const { checks, notes } = await found('types', {}, { 'tsconfig.json': {} });
    expect(checks).toEqual([]);
    expect(notes).toContainEqual(expect.stringContaining('typescript is not installed'));
  });

  test.each(['tsc --noEmit', 'yarn tsc --noEmit', 'npx tsc --noEmit'])(
    "runs through yarn with Plug'n'Play: %s",
    async (typecheck) => {
      const pnp: Files = { '.pnp.cjs': '', 'yarn.lock': '__metadata:\n', 'tsconfig.json': {} };
      const { checks } = await found('types', { typecheck }, pnp);
      expect(checks.map(({ args }) => args)).toEqual([['yarn tsc --noEmit']]);
    },
  );

  test('a build that reads its own package is no check', async () => {
    const scripts = { build: 'rollup -c', postbuild: 'attw dist/package.tgz && rm dist/package.tgz' };
    const workflow = { '.github/workflows/ci.yml': 'jobs:\n  a:\n    steps:\n      - run: npm run build\n' };
    expect((await found('types', scripts, files)).checks).toEqual([]);
    expect((await found('types', scripts, { ...files, ...workflow })).checks).toEqual([]);
    expect((await found('types', { 'test:types': 'attw --pack .' }, files)).checks).toHaveLength(1);
  });

  test('a jsconfig.json is not a check', async () => {
    expect((await found('types', {}, { ...installed('typescript'), 'jsconfig.json': {} })).checks).toEqual(
      [],
    );
  });

  test.each([
    [{ typecheck: 'tsc -p tsconfig.x.json --noEmit --strict' }, [['-p', 'tsconfig.x.json', '--strict']]],
    [{ 'type-check': 'tsc' }, [[]]],
    [{ types: 'npm run check:ts', 'check:ts': 'tsc --noEmit --pretty' }, [[]]],
    [
      { typecheck: 'tsc -b packages/a packages/b' },
      [
        ['-p', 'packages/a'],
        ['-p', 'packages/b'],
      ],
    ],
    [{ typecheck: 'tsc --noEmit && tsc --noEmit -p test' }, [[], ['-p', 'test']]],
    [{ test: 'tsc --noEmit --skipLibCheck && node --test' }, [['--skipLibCheck']]],
    [{ typecheck: 'tsc --noEmit', test: 'tsc --noEmit -p test && node --test' }, [[], ['-p', 'test']]],
    [{ 'lint:types': 'tsc -p lib' }, [['-p', 'lib']]],
    [{ build: 'tsc --build --clean && tsc -p tsconfig.build.json' }, [['-p', 'tsconfig.build.json']]],
    [{ release: 'tsc -p release' }, []],
    [{ 'test-types': 'tsc --noEmit test/types.ts' }, [['tsc --noEmit test/types.ts']]],
  ])('the script decides on the arguments: %j', async (scripts, args) => {
    const { checks } = await found('types', scripts as Record<string, string>, files);
    expect(checks.map((check) => check.args)).toEqual(args);
  });

  test('a build of projects that only a shell finds is no check', async () => {
    const projects: Files = { ...files, 'packages/a/tsconfig.json': {} };
    expect((await found('types', { build: 'tsc -b packages/*' }, projects)).checks).toEqual([]);
    expect((await found('types', { build: 'tsc -b packages/a' }, projects)).checks).toHaveLength(1);
  });

  test('the configuration of a project folder is its tsconfig.json', async () => {
    const { checks } = await found(
      'types',
      { typecheck: 'tsc -b pkg' },
      { ...files, 'pkg/tsconfig.json': {} },
    );
    expect(checks).toMatchObject([{ config: 'pkg/tsconfig.json' }]);
  });

  test.each(['vue-tsc --noEmit', 'svelte-check', 'tsgo', 'tsd', 'tstyche', 'check-dts'])(
    '%s runs as a command',
    async (line) => {
      const { checks } = await found('types', { typecheck: line }, files);
      expect(checks).toMatchObject([{ name: 'types', tool: 'command', args: [line] }]);
    },
  );

  test('a type checker that only a download brings is no check, and that is said', async () => {
    const typecheck = 'npx --package typescript tsc --project test';
    const { checks, notes } = await found('types', { typecheck });
    expect(checks).toEqual([]);
    expect(notes).toContain(
      `Not a check: "${typecheck}" (package.json#scripts.typecheck). It downloads tsc, which no dependency brings.`,
    );
    expect((await found('types', { typecheck }, files)).checks).toMatchObject([{ tool: 'tsc' }]);
  });

  test.each([['tsc'], ['npx tsc']])(
    'a listed type checker that is not installed is an error: %s',
    async (typecheck) => {
      const manifest = {
        scripts: { test: 'node --test', typecheck },
        devDependencies: { typescript: '^5.9.2' },
      };
      const detected = found('types', { typecheck }, { 'package.json': manifest });
      await expect(detected).rejects.toMatchObject({ code: 'no_dependencies' });
    },
  );

  test('a type checker of the script that is not installed is an error', async () => {
    await expect(found('types', { typecheck: 'tsc' })).rejects.toMatchObject({
      code: 'no_dependencies',
      exitCode: 6,
    });
  });
});

describe('lint', () => {
  test('a linter that only a download brings is no check, and that is said', async () => {
    const { checks, notes } = await found('lint', { lint: 'npx @biomejs/biome check' });
    expect(checks).toEqual([]);
    expect(notes.join()).toContain('Not a check: "npx @biomejs/biome check" (package.json#scripts.lint).');
  });

  const eslint = installed('eslint@9.30.0');

  test.each([
    [{ lint: 'lunte' }, ['lunte']],
    [{ lint: 'prettier --check . && lunte' }, ['prettier --check .', 'lunte']],
    [
      { lint: 'oxlint && npm run lint:names', 'lint:names': 'node names.js' },
      ['oxlint', 'npm run lint:names'],
    ],
    [{ 'lint:check': 'lunte', lint: 'node lint.js' }, ['node lint.js']],
    // What only prepares, or writes.
    [{ lint: 'node make.js && oxlint' }, ['oxlint']],
    [{ lint: 'oxlint && rm -rf cache' }, ['oxlint']],
    [{ lint: 'oxlint && lunte --fix' }, ['oxlint']],
    [{ build: 'lunte' }, []],
  ])('runs every command behind the linters of %j', async (scripts, commands) => {
    expect((await found('lint', scripts)).checks.map(({ args }) => args[0])).toEqual(commands);
  });

  test.each<[Files, string]>([
    [{ 'eslint.config.js': '' }, 'eslint.config.js'],
    [{ 'eslint.config.mts': '' }, 'eslint.config.mts'],
  ])(
    'a configuration and an installed ESLint become a check of the lint script: %o',
    async (files, config) => {
      const { checks } = await found('lint', { lint: 'eslint .' }, { ...eslint, ...files });
      expect(checks).toMatchObject([
        { name: 'lint', tool: 'eslint', args: ['.'], config, version: '9.30.0', weight: 0.2 },
      ]);
    },
  );

  test('a configuration of ESLint that no script uses is an offer and no check', async () => {
    const { checks, offers } = await found('lint', {}, { ...eslint, 'eslint.config.js': '' });
    expect(checks).toEqual([]);
    expect(offers).toEqual([{ check: 'lint', command: 'npx eslint .', source: 'eslint.config.js' }]);
  });

  test('where a script runs another linter, the configuration of ESLint is no check', async () => {
    const { checks } = await found('lint', { check: 'gts lint' }, { ...eslint, 'eslint.config.js': '' });
    expect(checks).toMatchObject([{ tool: 'command', args: ['gts lint'] }]);
  });

  test('a workflow of continuous integration is read where no script is named for linting', async () => {
    const workflow = (lines: string): Files => ({
      ...installed('oxlint'),
      '.github/workflows/ci.yml': `jobs:\n  a:\n    steps:\n${lines}`,
    });
    const direct = await found('lint', {}, workflow('      - run: npx oxlint src\n'));
    expect(direct.checks).toMatchObject([{ args: ['oxlint src'], source: '.github/workflows/ci.yml' }]);
    const block = workflow('      - name: x\n        run: |\n          npm ci\n          npm run verify\n');
    expect((await found('lint', { verify: 'biome ci' }, block)).checks).toMatchObject([
      { args: ['biome ci'] },
    ]);
    const withExpression = workflow('      - run: npx oxlint ${{ matrix.folder }}\n');
    expect((await found('lint', {}, withExpression)).checks).toEqual([]);
  });

  test.each(['.eslintrc.json', '.eslintrc.cjs', '.eslintrc'])('%s is read by ESLint 8 only', async (file) => {
    const old = await found('lint', { lint: 'eslint .' }, { ...installed('eslint@8.57.0'), [file]: '{}' });
    expect(old.checks).toMatchObject([{ config: file }]);
    const recent = await found('lint', { lint: 'eslint .' }, { ...eslint, [file]: '{}' });
    expect(recent.checks).toEqual([]);
    expect(recent.notes).toContainEqual(expect.stringContaining('does not read'));
    const forced = { lint: 'ESLINT_USE_FLAT_CONFIG=false eslint src' };
    expect((await found('lint', forced, { ...eslint, [file]: '{}' })).checks).toMatchObject([
      { args: ['src'], env: { ESLINT_USE_FLAT_CONFIG: 'false' } },
    ]);
  });

  test('accepts a configuration in package.json', async () => {
    const root = folderWith({
      'package.json': { scripts: { test: 'node --test', lint: 'eslint .' }, eslintConfig: { root: true } },
      ...installed('eslint@8.57.0'),
    });
    const { checks } = await detectProject({ root, packageDir: '.', config: {} });
    expect(checks).toMatchObject([{}, { name: 'lint', config: 'package.json' }]);
  });

  test.each([
    [{ lint: 'eslint src --ext .ts --fix --max-warnings 0' }, ['src', '--ext', '.ts', '--max-warnings', '0']],
    [{ lint: 'npm run lint:js', 'lint:js': 'eslint lib --cache' }, ['lib']],
    [{ lint: 'eslint --quiet' }, ['--quiet', '.']],
    [{ test: 'eslint bin && node --test' }, ['bin']],
    [{ 'check:js': 'eslint src' }, ['src']],
  ])('the script decides on the linted paths: %j', async (scripts, args) => {
    const files = { ...eslint, 'eslint.config.js': '' };
    const { checks } = await found('lint', scripts as Record<string, string>, files);
    expect(checks).toMatchObject([{ args }]);
  });

  test.each([
    ['biome check --write src', 'biome check src'],
    ['oxlint', 'oxlint'],
    ['xo --fix', 'xo'],
    ['prettier --cache --check .', 'prettier --check .'],
    ['gts lint', 'gts lint'],
    ["standard 'src/**/*.js'", "standard 'src/**/*.js'"],
  ])('%s runs as a command without its options that write files', async (script, line) => {
    const { checks } = await found('lint', { lint: script });
    expect(checks).toMatchObject([
      { name: 'lint', tool: 'command', args: [line], source: 'package.json#scripts.lint' },
    ]);
  });

  test('a linter with and without its option that writes is one check, which corrects nothing', async () => {
    const { checks } = await found('lint', {
      lint: 'biome lint --write . && standardx',
      'check:format': 'biome lint .',
      test: 'node --test && npm run check:format && biome lint packages',
    });
    expect(checks.map(({ name, args, corrects }) => [name, args[0], corrects])).toEqual([
      ['lint', 'biome lint .', undefined],
      ['lint-2', 'standardx', undefined],
      ['lint-3', 'biome lint packages', undefined],
    ]);
  });

  test.each([
    ['xo --fix', true],
    ['xo', undefined],
    ['eslint --fix', true],
    ['eslint', undefined],
  ])('%s corrects files: %s', async (lint, corrects) => {
    const { checks } = await found('lint', { lint }, { ...eslint, 'eslint.config.js': '' });
    expect(checks[0]?.corrects).toBe(corrects);
  });

  test('a configuration without an installed ESLint gives a note and no check', async () => {
    const { checks, notes } = await found('lint', { lint: 'eslint .' }, { 'eslint.config.js': '' });
    expect(checks).toEqual([]);
    expect(notes).toContainEqual(expect.stringContaining('eslint is not installed'));
  });
});
