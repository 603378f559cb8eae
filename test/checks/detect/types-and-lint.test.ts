import { describe, expect, test } from 'vitest';
import { detectProject } from '../../../src/checks/detect/index.ts';
import type { CheckPlan, ProjectPlan } from '../../../src/ports.ts';
import type { Files } from '../../support/repositories.ts';
import { folderWith, installed } from './package-folder.ts';

interface Found {
  readonly checks: readonly CheckPlan[];
  readonly notes: readonly string[];
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
  return { checks: plan.checks.filter((check) => check.kind === kind), notes: plan.notes };
}

describe('types', () => {
  const files: Files = {
    ...installed('typescript@5.9.2'),
    'tsconfig.json': { compilerOptions: { noEmit: true } },
  };

  test('tsconfig.json and an installed typescript become a check', async () => {
    const { checks } = await found('types', {}, files);
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
  ])('the script decides on the arguments: %j', async (scripts, args) => {
    const { checks } = await found('types', scripts as Record<string, string>, files);
    expect(checks.map((check) => check.args)).toEqual(args);
  });

  test('the configuration of a project folder is its tsconfig.json', async () => {
    const { checks } = await found(
      'types',
      { typecheck: 'tsc -b pkg' },
      { ...files, 'pkg/tsconfig.json': {} },
    );
    expect(checks).toMatchObject([{ config: 'pkg/tsconfig.json' }]);
  });

  test.each(['vue-tsc --noEmit', 'svelte-check', 'tsgo'])('%s runs as a command', async (line) => {
    const { checks } = await found('types', { typecheck: line }, files);
    expect(checks).toMatchObject([{ name: 'types', tool: 'command', args: [line] }]);
  });

  test('a type checker of the script that is not installed is an error', async () => {
    await expect(found('types', { typecheck: 'tsc' })).rejects.toMatchObject({
      code: 'no_dependencies',
      exitCode: 6,
    });
  });
});

describe('lint', () => {
  const eslint = installed('eslint@9.30.0');

  test.each<[Files, string]>([
    [{ 'eslint.config.js': '' }, 'eslint.config.js'],
    [{ 'eslint.config.mts': '' }, 'eslint.config.mts'],
  ])('a configuration and an installed ESLint become a check: %o', async (files, config) => {
    const { checks } = await found('lint', {}, { ...eslint, ...files });
    expect(checks).toMatchObject([
      { name: 'lint', tool: 'eslint', args: ['.'], config, version: '9.30.0', weight: 0.2 },
    ]);
  });

  test.each(['.eslintrc.json', '.eslintrc.cjs', '.eslintrc'])('%s is read by ESLint 8 only', async (file) => {
    const old = await found('lint', {}, { ...installed('eslint@8.57.0'), [file]: '{}' });
    expect(old.checks).toMatchObject([{ config: file }]);
    const recent = await found('lint', {}, { ...eslint, [file]: '{}' });
    expect(recent.checks).toEqual([]);
    expect(recent.notes).toContainEqual(expect.stringContaining('does not read'));
    const forced = { lint: 'ESLINT_USE_FLAT_CONFIG=false eslint src' };
    expect((await found('lint', forced, { ...eslint, [file]: '{}' })).checks).toMatchObject([
      { args: ['src'], env: { ESLINT_USE_FLAT_CONFIG: 'false' } },
    ]);
  });

  test('accepts a configuration in package.json', async () => {
    const root = folderWith({
      'package.json': { scripts: { test: 'node --test' }, eslintConfig: { root: true } },
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
    [{ lint: 'prettier --check . && eslint src' }, ['src']],
  ])('the script decides on the linted paths: %j', async (scripts, args) => {
    const files = { ...eslint, 'eslint.config.js': '' };
    const { checks } = await found('lint', scripts as Record<string, string>, files);
    expect(checks).toMatchObject([{ args }]);
  });

  test.each([
    ['biome check --write src', 'biome check src'],
    ['oxlint', 'oxlint'],
    ['xo --fix', 'xo'],
    ["standard 'src/**/*.js'", "standard 'src/**/*.js'"],
  ])('%s runs as a command without its options that write files', async (script, line) => {
    const { checks } = await found('lint', { lint: script });
    expect(checks).toMatchObject([
      { name: 'lint', tool: 'command', args: [line], source: 'package.json#scripts.lint' },
    ]);
  });

  test('a configuration without an installed ESLint gives a note and no check', async () => {
    const { checks, notes } = await found('lint', {}, { 'eslint.config.js': '' });
    expect(checks).toEqual([]);
    expect(notes).toContainEqual(expect.stringContaining('eslint is not installed'));
  });
});
