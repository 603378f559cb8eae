import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemOfPackages } from '../../src/ci/package-programs.ts';
import { openRemoteDesk, type RemoteDesk } from '../../src/platform/git/remote.ts';
import { git, NODE_TEST_FILES, repositoryWith } from '../support/repositories.ts';

const scripts = {
  test: 'node --test',
  start: 'node src/server.js',
  build: 'npm run bundle && node scripts/build.mjs',
  bundle: 'rollup -c',
};
let desk: RemoteDesk;
let head: string;

beforeAll(async () => {
  const root = repositoryWith({
    ...NODE_TEST_FILES,
    'package.json': { name: 'adder', version: '1.0.0', main: 'src/add.js', types: 'add.d.ts', scripts },
    'src/server.js': "const table = require('../table');\n",
    'table.json': '{}\n',
    'unread.json': '{}\n',
    'add.d.ts': 'export declare function add(a: number, b: number): number;\n',
    'rollup.config.mjs':
      "import own from './plugins/own.mjs';\n// import off from './lib/off.mjs';\nconst all = ['./add.d.ts', './other.d.ts'];\nexport default { input: { all: './lib/all.mjs' }, plugins: [own] };\n",
    'other.d.ts': 'export {};\n',
    'lib/all.mjs': "export * from './one.mjs';\n",
    'lib/one.mjs': 'export const one = 1;\n',
    'lib/off.mjs': 'export {};\n',
    'packages/b/package.json': { name: 'b', main: 'dist/b.js', scripts: { build: 'node build.mjs' } },
    'packages/b/build.mjs': "for (const file of ['./src/index.ts', './src/step.ts']) void file;\n",
    'packages/b/src/index.ts': "export * from './rest.js';\n",
    'packages/b/src/rest.ts': 'export const rest = 1;\n',
    'packages/b/src/step.ts': 'export const step = 1;\n',
    'plugins/own.mjs': 'export default {};\n',
    'scripts/build.mjs':
      "import { step } from './steps.mjs';\nimport { add } from '../src/add.js';\nif (existsSync('./scripts/local.mjs')) await import('./local.mjs');\n",
    'scripts/steps.mjs': 'export const step = 1;\n',
    'scripts/count.mjs': 'console.log(1);\n',
    'packages/a/package.json': { name: 'a', scripts: { postinstall: 'node ../../tools/post.js' } },
    'tools/post.js': 'void 0;\n',
  });
  head = git(root, 'rev-parse', 'HEAD').trim();
  desk = await openRemoteDesk({ url: root, token: undefined });
  await desk.fetch('main');
});
afterAll(() => desk.close());

test.each([
  ['a new file of settings', 'app-settings.toml', 'docs/app-settings.toml', 'look for their settings'],
  ['one of a package', 'packages/a/x.yaml', 'packages/x.yaml', 'look for their settings'],
  ['a name without an ending', 'Somefile', 'LICENSE', 'look for their settings'],
  ['data that no source reads', 'unread.json', 'table.json', 'look for their settings'],
  ['settings that are a program', 'rollup.config.mjs', 'src/rollup.config.mjs', 'look for their settings'],
  ['what these load', 'plugins/own.mjs', 'plugins/other.mjs', 'builds or releases'],
  ['a program of a script', 'scripts/build.mjs', 'src/server.js', 'builds or releases'],
  ['what it loads', 'scripts/steps.mjs', 'src/add.js', 'builds or releases'],
  ['what it would load', 'scripts/local.mjs', 'scripts/count.mjs', 'builds or releases'],
  ['a declaration that no entry names', 'other.d.ts', 'add.d.ts', 'builds or releases'],
  ['what a plugin is, not what is bundled', 'plugins/own.mjs', 'lib/one.mjs', 'builds or releases'],
  ['what is loaded, not what a comment names', 'plugins/own.mjs', 'lib/off.mjs', 'builds or releases'],
  ['what the build reads of a built package', 'packages/b/src/step.ts', 'packages/b/src/rest.ts', 'builds'],
  ['what an installation runs', 'tools/post.js', 'tools/pre.js', 'installs'],
])('%s is refused: %s; %s is not', async (_, attack, control, said) => {
  const problemOf = (path: string): Promise<string | undefined> =>
    problemOfPackages(desk, head, [
      { path: 'src/add.js', isNew: false },
      { path, isNew: git(desk.gitDir, 'ls-tree', '--name-only', head, path) === '' },
    ]);
  expect(await problemOf(attack)).toContain(said);
  expect(await problemOf(attack)).toContain(`--allow "${attack}" permits it`);
  expect(await problemOf(control)).toBeUndefined();
});
