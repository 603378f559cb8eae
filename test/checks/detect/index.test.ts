import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectProject, findPackageDir } from '../../../src/checks/detect/index.ts';
import type { Config } from '../../../src/schema/generated.ts';
import type { Files } from '../../support/repositories.ts';
import { folderWith, installed } from './package-folder.ts';

const REPOSITORY: Files = {
  'package.json': { scripts: { test: 'jest && mocha', typecheck: 'tsc --noEmit', lint: 'eslint .' } },
  'tsconfig.json': {},
  'eslint.config.js': '',
  ...installed('jest', 'mocha', 'typescript', 'eslint@9.0.0'),
};

async function detect(config: Config, files: Files = REPOSITORY) {
  return detectProject({ root: folderWith(files), packageDir: '.', config });
}

async function weightsOf(config: Config): Promise<Record<string, number>> {
  const { checks } = await detect(config);
  return Object.fromEntries(checks.map((check) => [check.name, check.weight]));
}

describe('checks in the configuration', () => {
  test('a configured command replaces every check of its name and is not confirmed by npm test', async () => {
    const plan = await detect({ checks: { tests: 'pytest --junitxml out.xml', types: 'mypy .' } });
    expect(plan.checks.map((check) => [check.name, check.kind, check.tool, check.args[0]])).toEqual([
      ['tests', 'tests', 'command', 'pytest --junitxml out.xml'],
      ['types', 'types', 'command', 'mypy .'],
      ['lint', 'lint', 'eslint', '.'],
    ]);
    expect(plan.testCommand).toBeUndefined();
    expect(plan.checks[0]?.source).toBe('--check tests=…');
  });

  test('a configured command that is one call of a known runner becomes a check of that runner', async () => {
    const plan = await detect({ checks: { tests: 'npx jest src' } });
    expect(plan.checks[0]).toMatchObject({
      name: 'tests',
      tool: 'jest',
      args: ['src'],
      source: '--check tests=…',
    });
  });

  test('a command with another name adds a check', async () => {
    const plan = await detect({ checks: { smoke: 'node smoke.js' } });
    expect(plan.checks.at(-1)).toMatchObject({
      name: 'smoke',
      kind: 'command',
      tool: 'command',
      weight: 0.2,
    });
  });

  test('skip removes one check, or all checks of a kind', async () => {
    expect(Object.keys(await weightsOf({ skip: ['lint', 'tests-2'] }))).toEqual(['tests', 'types']);
    expect(Object.keys(await weightsOf({ skip: ['tests'] }))).toEqual(['types', 'lint']);
    expect((await detect({ skip: ['tests'] })).testCommand).toBeUndefined();
  });

  test('the tool of a skipped check does not have to be installed', async () => {
    const files = { 'package.json': { scripts: { test: 'node --test', typecheck: 'tsc' } } };
    await expect(detect({}, files)).rejects.toMatchObject({ code: 'no_dependencies' });
    expect((await detect({ skip: ['types'] }, files)).checks).toMatchObject([{ name: 'tests' }]);
  });

  test('an unknown name in skip is a usage error that lists the checks', async () => {
    await expect(detect({ skip: ['lnt'] })).rejects.toMatchObject({
      code: 'usage',
      exitCode: 2,
      message: expect.stringContaining('tests, tests-2, types, lint') as string,
    });
  });

  test('skipping every check is an error', async () => {
    await expect(detect({ skip: ['tests', 'types', 'lint'] })).rejects.toMatchObject({
      code: 'no_checks',
      exitCode: 6,
    });
  });

  test('default weights are tests 0.5, types 0.3 and lint 0.2', async () => {
    expect(await weightsOf({})).toEqual({ tests: 0.25, 'tests-2': 0.25, types: 0.3, lint: 0.2 });
    expect(await weightsOf({ weights: { tests: 4, lint: 0 } })).toEqual({
      tests: 2,
      'tests-2': 2,
      types: 0.3,
      lint: 0,
    });
    expect(await weightsOf({ weights: { 'tests-2': 1 } })).toMatchObject({ tests: 0.25, 'tests-2': 1 });
  });

  test.each<Config['weights']>([
    { nope: 1 },
    { tests: -1 },
    { tests: Number.NaN },
    { tests: Number.POSITIVE_INFINITY },
    { tests: 0, types: 0, lint: 0 },
  ])('rejects the weights %o', async (weights) => {
    await expect(detect({ weights })).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
  });

  test('accepts standard names that the repository has no check for', async () => {
    const files = { 'package.json': { scripts: { test: 'node --test' } } };
    const plan = await detect({ weights: { tests: 1, types: 2, lint: 3 }, skip: ['lint'] }, files);
    expect(plan.checks).toMatchObject([{ name: 'tests', weight: 1 }]);
  });
});

describe('repositories that cannot be checked', () => {
  test('without package.json detection fails with exit 6, unless the test command is configured', async () => {
    await expect(detect({}, { 'a.py': '' })).rejects.toMatchObject({
      code: 'no_package',
      exitCode: 6,
      hint: expect.stringContaining('--check tests=') as string,
    });
    const plan = await detect({ checks: { tests: 'pytest' } }, { 'a.py': '' });
    expect(plan.checks).toMatchObject([{ name: 'tests', tool: 'command', cwd: '.' }]);
  });

  test('reports a package.json that is not valid JSON', async () => {
    await expect(detect({}, { 'package.json': '{ "scripts": ' })).rejects.toMatchObject({
      code: 'no_package',
      exitCode: 6,
      message: expect.stringContaining('not valid JSON') as string,
    });
  });

  test.each<[Files, string]>([
    [{}, 'npm install'],
    [{ 'package-lock.json': '{}' }, 'npm ci'],
    [{ 'pnpm-lock.yaml': '' }, 'pnpm install --frozen-lockfile'],
    [{ 'yarn.lock': '__metadata:\n  version: 8\n' }, 'yarn install --immutable'],
    [{ 'yarn.lock': '# yarn lockfile v1\n' }, 'yarn install --frozen-lockfile'],
    [{ 'bun.lock': '' }, 'bun install --frozen-lockfile'],
  ])('without node_modules the hint names the install command: %j', async (files, command) => {
    const manifest = { scripts: { test: 'node --test' }, devDependencies: { x: '1' } };
    await expect(detect({}, { 'package.json': manifest, ...files })).rejects.toMatchObject({
      code: 'no_dependencies',
      exitCode: 6,
      hint: expect.stringMatching(new RegExp(`: ${command}$`)) as string,
    });
  });

  test('a package without dependencies needs no node_modules', async () => {
    const plan = await detect({}, { 'package.json': { scripts: { test: 'node --test' } } });
    expect(plan.checks).toHaveLength(1);
  });
});

describe('the package manager', () => {
  test.each([
    [{ packageManager: 'pnpm@9.1.0' }, { 'package-lock.json': '{}' }, 'pnpm', 'pnpm test'],
    [{ devEngines: { packageManager: { name: 'yarn', version: '>=4' } } }, {}, 'yarn', 'yarn test'],
    [{}, { 'bun.lockb': '' }, 'bun', 'bun run test'],
    [{}, {}, 'npm', 'npm test'],
  ])('%j with %j is %s', async (fields, files, name, command) => {
    const plan = await detect(
      {},
      { 'package.json': { scripts: { test: 'node --test' }, ...fields }, ...files },
    );
    expect(plan.packageManager.name).toBe(name);
    expect(plan.testCommand?.command).toBe(command);
  });

  test('yarn 2 and later run no pre and post scripts', async () => {
    const scripts = { pretest: 'node build.js', test: 'node --test' };
    const setup = async (files: Files) =>
      (await detect({}, { 'package.json': { scripts }, ...files })).checks[0]?.setup;
    expect(await setup({ 'yarn.lock': '# yarn lockfile v1\n' })).toEqual(['node build.js']);
    expect(await setup({ 'yarn.lock': '__metadata:\n' })).toEqual([]);
  });
});

describe('findPackageDir', () => {
  const files: Files = {
    'package.json': {},
    'packages/a/package.json': {},
    'packages/a/src/deep/x.ts': '',
    'docs/x.md': '',
  };

  test.each([
    ['packages/a/src/deep', 'packages/a'],
    ['packages/a', 'packages/a'],
    ['packages', '.'],
    ['docs', '.'],
    ['.', '.'],
  ])('from %s is %s', (start, expected) => {
    const root = folderWith(files);
    expect(findPackageDir(join(root, start), root)).toBe(expected);
  });

  test('returns undefined where no folder up to the root has a package.json', () => {
    const above = folderWith({ 'package.json': {}, 'repo/src/x.ts': '' });
    expect(findPackageDir(join(above, 'repo/src'), join(above, 'repo'))).toBeUndefined();
  });
});
