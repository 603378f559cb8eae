import { describe, expect, test } from 'vitest';
import { detectProject } from '../../../../src/checks/detect/index.ts';
import { repositoryWith, writeFiles, type Files } from '../../../support/repositories.ts';

const SCRIPTS = { test: 'node --test', build: 'node build.js' };
const TEST = "import { test } from 'node:test';\n";
const PACKAGES: Files = {
  'package.json': { workspaces: ['packages/*'] },
  'node_modules/.package-lock.json': {},
  '.gitignore': 'node_modules\ndist\n',
  'packages/core/package.json': { name: '@x/core', main: './dist/index.js', scripts: SCRIPTS },
  'packages/kit/package.json': {
    name: '@x/kit',
    exports: { '.': { types: './dist/index.d.ts', import: './dist/index.js' } },
    dependencies: { '@x/plain': '*' },
    scripts: SCRIPTS,
  },
  'packages/plain/package.json': { name: '@x/plain', main: 'src/index.js', dependencies: { '@x/core': '*' } },
  'packages/app/package.json': { name: 'app', dependencies: { '@x/kit': '*' }, scripts: SCRIPTS },
  'packages/app/test/app.test.js': TEST,
  'packages/core/test/core.test.js': TEST,
};

async function detect(packageDir: string, built: Files = {}) {
  const root = repositoryWith(PACKAGES);
  writeFiles(root, built);
  const { checks, testCommand, carry } = await detectProject({ root, packageDir, config: { checks: {} } });
  return { setup: checks[0]?.setup, confirm: testCommand?.setup, carry };
}

describe('packages that need the builds of others', () => {
  test('outputs that the user has not made are left alone', async () => {
    expect(await detect('packages/app')).toEqual({ setup: [], confirm: undefined, carry: [] });
  });

  test('outputs that are there are carried, and made again if their package has changed', async () => {
    const { setup, carry } = await detect('packages/app', {
      'packages/core/dist/index.js': '',
      'packages/kit/dist/index.js': '',
    });
    expect(carry).toEqual(['packages/core/dist', 'packages/kit/dist']);
    expect(setup).toEqual([
      expect.stringMatching(/^node \S+build-changed\.ts \.\.\/core dist npm run build$/),
      expect.stringMatching(/^node \S+build-changed\.ts \.\.\/kit dist npm run build$/),
    ]);
  });

  test('a package that needs none has no set-up', async () => {
    expect(await detect('packages/core', { 'packages/kit/dist/index.js': '' })).toEqual({
      setup: [],
      confirm: undefined,
      carry: [],
    });
  });
});
