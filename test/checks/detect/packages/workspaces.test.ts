import { describe, expect, test } from 'vitest';
import { detectProject } from '../../../../src/checks/detect/index.ts';
import type { CheckPlan, ProjectPlan } from '../../../../src/ports/plan.ts';
import type { Files } from '../../../support/repositories.ts';
import { folderWith } from '../package-folder.ts';

const PACKAGES: Files = {
  'packages/a/package.json': { name: '@x/a', scripts: { test: 'node --test', pretest: 'node gen.js' } },
  'packages/b/package.json': { name: '@x/b', scripts: { test: 'tape b.js' } },
  'packages/none/package.json': { name: 'none' },
  'packages/old/package.json': { name: 'old', scripts: { test: 'node --test' } },
};

async function planOf(test: string, files: Files = {}, manifest: object = {}): Promise<ProjectPlan> {
  const given = { workspaces: ['packages/*', '!packages/old'], scripts: { test }, ...manifest };
  const root = folderWith({ 'package.json': given, ...PACKAGES, ...files });
  return detectProject({ root, packageDir: '.', config: {} });
}

async function checksOf(
  test: string,
  files: Files = {},
  workspaces: object = {},
): Promise<readonly CheckPlan[]> {
  return (await planOf(test, files, workspaces)).checks;
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
    for (const text of [
      "packages:\n  # all\n  - 'packages/b'\ncatalog:\n  - packages/a\n",
      'packages: [\n  packages/b, # one\n]\n',
    ]) {
      const pnpm = { 'pnpm-workspace.yaml': text };
      expect(await checksOf('pnpm -r test', pnpm, { workspaces: [] })).toMatchObject([{ cwd: 'packages/b' }]);
    }
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

  test('comments in the configuration of turbo are left out', async () => {
    const text = '{ // a "comment"\n "tasks": { "test": { "dependsOn": ["^build",], /* x, */ }, } }';
    const [first] = await checksOf('turbo run test', { 'turbo.json': text });
    expect(first?.setup).toContain('cd ../.. && turbo run build');
  });

  test('one of several tasks that has too many packages runs as it stands, beside the checks', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 13 }, (_, at) => [`packages/p${at}/package.json`, { scripts: { types: 'tsc' } }]),
    );
    const plan = await planOf('nx run-many --targets=types,test', many);
    expect(plan.checks).toMatchObject([{ cwd: 'packages/a' }, { cwd: 'packages/b' }]);
    expect(plan.testCommand?.steps).toMatchObject([
      { command: 'nx run-many -t types', check: undefined },
      { command: 'node gen.js', isSetup: true },
      { check: 'tests' },
      { check: 'tests-2' },
    ]);
  });

  test.each<[string, Files, object, string[]]>([
    ['nx run-many -t size', {}, { nx: { includedScripts: ['size'] } }, ['tests', 'node size.js']],
    ['nx run-many -t size', {}, { nx: { includedScripts: [] } }, ['tests']],
    ['turbo run size', { 'turbo.json': { tasks: { '//#size': {} } } }, {}, ['tests', 'node size.js']],
    ['turbo run size', { 'turbo.json': { tasks: { size: {} } } }, {}, ['tests']],
  ])(
    '%s runs the script of the root where it is a task of the root: %j, %j',
    async (line, files, own, ran) => {
      const scripts = { test: `node --test && ${line} test`, size: 'node size.js' };
      const { testCommand } = await planOf('', files, { ...own, scripts });
      const steps = testCommand?.steps ?? [];
      expect(steps.map(({ check, command }) => check ?? command).filter((it) => ran.includes(it))).toEqual(
        ran,
      );
      expect(steps.some(({ command }) => command === 'node size.js')).toBe(ran.length === 2);
    },
  );

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
