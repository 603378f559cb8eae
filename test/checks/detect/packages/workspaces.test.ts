import { describe, expect, test } from 'vitest';
import { detectProject } from '../../../../src/checks/detect/index.ts';
import type { CheckPlan } from '../../../../src/ports/plan.ts';
import type { Files } from '../../../support/repositories.ts';
import { folderWith } from '../package-folder.ts';

const PACKAGES: Files = {
  'packages/a/package.json': { name: '@x/a', scripts: { test: 'node --test', pretest: 'node gen.js' } },
  'packages/b/package.json': { name: '@x/b', scripts: { test: 'tape b.js' } },
  'packages/none/package.json': { name: 'none' },
  'packages/old/package.json': { name: 'old', scripts: { test: 'node --test' } },
};

async function checksOf(
  test: string,
  files: Files = {},
  workspaces: object = {},
): Promise<readonly CheckPlan[]> {
  const given = { workspaces: ['packages/*', '!packages/old'], ...workspaces };
  const root = folderWith({ 'package.json': { ...given, scripts: { test } }, ...PACKAGES, ...files });
  return (await detectProject({ root, packageDir: '.', config: {} })).checks;
}

describe('a test script that runs the tests of packages', () => {
  test.each([
    'npm test --workspaces --if-present',
    'npm run test -ws',
    'pnpm -r test',
    'pnpm --recursive run test',
    'yarn workspaces run test',
    'yarn workspaces foreach -A run test',
    'lerna run test --stream',
    'turbo run test',
    'turbo test --force',
    'nx run-many -t test',
  ])('%s becomes the checks of each package that has the script', async (script) => {
    expect(await checksOf(script)).toMatchObject([
      { name: 'tests', tool: 'node', cwd: 'packages/a', setup: ['node gen.js'] },
      { name: 'tests-2', tool: 'command', args: ['tape b.js'], cwd: 'packages/b' },
    ]);
  });

  test.each([
    'npm test -w @x/b',
    'npm run test --workspace=packages/b',
    'pnpm --filter @x/b test',
    'pnpm -F "./packages/b" run test',
    'yarn workspace @x/b test',
    'lerna run test --scope=@x/b',
    'turbo run test --filter=@x/b',
    'nx run-many -t test -p @x/b',
  ])('%s becomes the check of the named package', async (script) => {
    expect(await checksOf(script)).toMatchObject([
      { name: 'tests', cwd: 'packages/b', source: 'packages/b/package.json#scripts.test' },
    ]);
  });

  test.each(['pnpm --filter "@x/b..." test', 'turbo run test --filter=...[main]', 'turbo run e2e'])(
    '%s needs the tool itself and is judged by its exit code',
    async (script) => {
      expect(await checksOf(script)).toMatchObject([{ tool: 'command', args: ['npm test'], cwd: '.' }]);
    },
  );

  test('packages are found by pnpm-workspace.yaml and lerna.json too', async () => {
    const pnpm = {
      'pnpm-workspace.yaml': "packages:\n  # all\n  - 'packages/b'\ncatalog:\n  - packages/a\n",
    };
    expect(await checksOf('pnpm -r test', pnpm, { workspaces: [] })).toMatchObject([{ cwd: 'packages/b' }]);
    const lerna = { 'lerna.json': { packages: ['packages/b'] } };
    expect(await checksOf('lerna run test', lerna, { workspaces: [] })).toMatchObject([
      { cwd: 'packages/b' },
    ]);
  });

  test('a task of turbo that depends on builds has the build as its setup', async () => {
    const files = { 'turbo.json': { tasks: { test: { dependsOn: ['^build'] } } } };
    const [, second] = await checksOf('turbo run test', files);
    expect(second).toMatchObject({
      cwd: 'packages/b',
      setup: ['cd ../.. && turbo run build', 'cd ../a && node gen.js'],
    });
    const without = await checksOf('turbo run test', { 'turbo.json': { tasks: { test: {} } } });
    expect(without[0]).toMatchObject({ setup: ['node gen.js'] });
  });

  test('more packages than can be checked one by one are judged by the exit code of the script', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 13 }, (_, at) => [
        `packages/p${at}/package.json`,
        { scripts: { test: 'node --test' } },
      ]),
    );
    expect(await checksOf('pnpm -r test', many)).toMatchObject([{ tool: 'command', args: ['npm test'] }]);
  });
});
