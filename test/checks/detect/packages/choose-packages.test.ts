import { describe, expect, test } from 'vitest';
import { choosePackages } from '../../../../src/checks/detect/packages/choose-packages.ts';
import { detectProject } from '../../../../src/checks/detect/index.ts';
import type { Files } from '../../../support/repositories.ts';
import { folderWith } from '../package-folder.ts';

const MEMBERS: Files = {
  'packages/base/package.json': { name: '@x/base', scripts: { test: 'node --test' } },
  'packages/core/package.json': {
    name: '@x/core',
    scripts: { test: 'node --test', pretest: 'node make.js' },
    dependencies: { '@x/base': '*' },
  },
  'packages/web/package.json': {
    name: 'web',
    scripts: { test: 'tape web.js' },
    devDependencies: { '@x/core': '*' },
  },
  'packages/other/package.json': { name: 'other' },
};

function workspace(root: object = {}): string {
  return folderWith({
    'package.json': { workspaces: ['packages/*'], ...root },
    ...MEMBERS,
    node_modules: {},
  });
}

describe('the packages beside the own one', () => {
  const [base, core, other, web] = ['base', 'core', 'other', 'web'].map((name) => `packages/${name}`);

  test.each([
    [[], []],
    [['own'], []],
    [['dependents'], [core, web]],
    [['all'], [core, other, web]],
    [
      ['web', 'packages/other/'],
      [other, web],
    ],
    [
      ['own', 'dependents', '@x/core'],
      [core, web],
    ],
  ])('%j', (wanted, expected) => {
    expect(choosePackages({ root: workspace(), packageDir: base!, wanted })).toEqual(expected);
  });

  test('a name that no package has is an error that names the packages', () => {
    const choice = { root: workspace(), packageDir: '.', wanted: ['wbe'] };
    expect(() => choosePackages(choice)).toThrow(
      '--packages wbe: no package has this name or folder; the packages here are @x/base, @x/core, other, web.',
    );
    expect(() => choosePackages({ ...choice, root: folderWith({ 'package.json': {} }) })).toThrow(
      '--packages wbe: this is no workspace of packages.',
    );
  });
});

describe('the checks of several packages', () => {
  async function planOf(packageDir: string, config: object, root = workspace()) {
    const { checks, testCommand } = await detectProject({ root, packageDir, config });
    return { checks: checks.map(({ name, cwd, weight }) => `${name} in ${cwd} ${weight}`), testCommand };
  }

  test('the own checks keep their names, the tests share their weight, and each test command runs in its folder', async () => {
    expect(await planOf('packages/base', { packages: ['dependents'] })).toEqual({
      checks: [
        'tests in packages/base 0.166666666667',
        'packages/core:tests in packages/core 0.166666666667',
        'packages/web:tests in packages/web 0.166666666667',
      ],
      testCommand: {
        command:
          '(cd packages/base && npm test) && (cd packages/core && npm test) && (cd packages/web && npm test)',
        cwd: '.',
        steps: [
          { command: 'node --test', cwd: 'packages/base', env: {}, check: 'tests' },
          { command: 'node make.js', cwd: 'packages/core', env: {}, isSetup: true },
          { command: 'node --test', cwd: 'packages/core', env: {}, check: 'packages/core:tests' },
          { command: 'tape web.js', cwd: 'packages/web', env: {}, check: 'packages/web:tests' },
        ],
      },
    });
  });

  test('a check is skipped by its name, weighted by its name, and replaced in the own package', async () => {
    const { checks, testCommand } = await planOf('packages/base', {
      packages: ['all'],
      skip: ['packages/core:tests', 'lint'],
      weights: { 'packages/web:tests': 0.1 },
      checks: { tests: 'node own.js' },
    });
    expect(checks).toEqual(['tests in packages/base 0.25', 'packages/web:tests in packages/web 0.1']);
    expect(testCommand?.command).toBe('npm test');
    expect(testCommand?.cwd).toBe('packages/web');
  });

  test('a check that every package takes from the root is run once', async () => {
    const root = workspace({ scripts: { test: 'node --test' } });
    expect(await planOf('packages/other', { packages: ['.', 'all'] }, root).catch(String)).toContain(
      'no package has this name',
    );
    const { checks } = await planOf('.', { packages: ['other'] }, root);
    expect(checks).toEqual(['tests in . 0.5']);
  });

  test('a root without checks of its own is checked by all packages', async () => {
    const { checks } = await planOf('.', {});
    expect(checks.map((check) => check.split(' ')[0])).toEqual([
      'packages/base:tests',
      'packages/core:tests',
      'packages/web:tests',
    ]);
  });
});
