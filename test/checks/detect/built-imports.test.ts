import { describe, expect, test } from 'vitest';
import { detectProject } from '../../../src/checks/detect/index.ts';
import { repositoryWith, type Files } from '../../support/repositories.ts';
import { installed } from './package-folder.ts';

const TEST = "import { test } from 'node:test';\n";

async function detect(files: Files, scripts: object = { test: 'node --test', build: 'node build.js' }) {
  const ignore = 'node_modules\n/index.js\ndist\nsrc/*.js\n';
  const root = repositoryWith({
    'package.json': { type: 'module', scripts },
    '.gitignore': ignore,
    ...files,
  });
  const { checks, testCommand, notes } = await detectProject({ root, packageDir: '.', config: {} });
  return { setup: checks[0]?.setup, command: testCommand?.command, note: notes.at(-1) };
}

describe('tests that only a compiler writes', () => {
  const SCRIPTS = { test: 'mocha "out/**/*.spec.js" -s 0', build: 'npm run compile && npm test' };
  const TSCONFIG = { compilerOptions: { rootDir: 'src', outDir: 'out' } };
  const IGNORE = { '.gitignore': 'node_modules\nout\n' };
  const COMPILED: Files = {
    ...IGNORE,
    ...installed('mocha'),
    ...installed('typescript'),
    'tsconfig.json': TSCONFIG,
  };

  test('the shortest script that does nothing else runs before them', async () => {
    const scripts = {
      ...SCRIPTS,
      clean: 'rimraf out',
      all: 'npm run clean && npm run compile',
      compile: 'tsc',
    };
    expect(await detect(COMPILED, scripts)).toEqual({
      setup: ['npm run compile'],
      command: 'npm run compile && npm test',
      note: 'The tests are in out, which git ignores: "npm run compile" runs before them.',
    });
  });

  test.each([
    ['is ignored', '/*.test.js\n', ['npm run compile']],
    ['is not ignored', '/build\n', []],
  ])('a file that is compiled into the package itself and %s', async (_, ignore, setup) => {
    const files = {
      ...COMPILED,
      '.gitignore': `node_modules\n${ignore}`,
      'tsconfig.json': { compilerOptions: { rootDir: 'src', outDir: '.' } },
    };
    const found = await detect(files, { test: 'node index.test.js', compile: 'tsc' });
    expect(found.setup).toEqual(setup);
  });

  test.each<[string, Files, object]>([
    ['the folder is in the index', { ...COMPILED, '.gitignore': 'node_modules\n' }, { compile: 'tsc' }],
    ['the compiler writes elsewhere', { ...COMPILED, 'tsconfig.json': {} }, { compile: 'tsc' }],
    ['no script only compiles', COMPILED, { compile: 'tsc && eslint .' }],
    ['the compiler watches', COMPILED, { compile: 'tsc --watch' }],
  ])('nothing runs before them where %s', async (_, files, scripts) => {
    expect(await detect(files, { ...SCRIPTS, ...scripts })).toMatchObject({ setup: [] });
  });
});

describe('tests that import what only a build makes', () => {
  test.each([
    ['a file', { 'test/a.test.js': `${TEST}import { a } from '../index.js';\n` }, 'index.js'],
    [
      'a file in an ignored folder',
      { 'test/a.test.js': `${TEST}await import('../dist/a.js');\n` },
      'dist/a.js',
    ],
    [
      'the entry of a folder',
      {
        'test/a.test.js': `${TEST}import { a } from '../packages/a';\n`,
        'packages/a/package.json': { main: './dist/main.js' },
      },
      'packages/a/dist/main.js',
    ],
  ])('%s: the build script runs before them', async (_, files, name) => {
    expect(await detect(files)).toEqual({
      setup: ['npm run build'],
      command: 'npm run build && npm test',
      note: `The tests import ${name}, which git ignores: "npm run build" runs before them.`,
    });
  });

  const OWN = { name: 'pkg', type: 'module', scripts: { test: 'node --test', build: 'node build.js' } };
  const IMPORTS_OWN = { 'test/a.test.js': `${TEST}import { a } from 'pkg';\n` };
  test.each<[string, Files, string[]]>([
    ['is built', { exports: { '.': { types: './dist/a.d.ts', default: './dist/a.js' } } }, ['npm run build']],
    ['is a source', { exports: './src/a.ts' }, []],
    [
      'may be another one for this repository',
      { exports: { source: './src/a.ts', default: './dist/a.js' } },
      [],
    ],
    ['is unknown to Node', { main: './dist/a.js' }, []],
  ])('the package by its own name, whose entry %s', async (_, entry, setup) => {
    const files = { ...IMPORTS_OWN, 'package.json': { ...OWN, ...entry } };
    expect(await detect(files)).toMatchObject({ setup });
    const alias = { 'vitest.config.ts': "({ resolve: { alias: { 'pkg': './src/a.ts' } } })" };
    expect(await detect({ ...files, ...alias })).toMatchObject({ setup: [] });
  });

  const BUILT = { 'test/a.test.js': `${TEST}import { a } from '../index.js';\n` };
  test.each([
    ['there is no build script', BUILT, { test: 'node --test' }],
    [
      'the file is in the index',
      { 'test/a.test.js': `${TEST}import { a } from '../lib/a.js';\n`, 'lib/a.js': '' },
      undefined,
    ],
    [
      'the name stands for a TypeScript source',
      { 'test/a.test.js': `${TEST}import { a } from '../src/a.js';\n`, 'src/a.ts': '' },
      undefined,
    ],
    [
      'a name without an ending, which git ignores as a folder, stands for a TypeScript source',
      { 'test/a.test.js': `${TEST}import { a } from '../lib/dist';\n`, 'lib/dist.ts': '' },
      undefined,
    ],
  ])('nothing runs before them where %s', async (_, files, scripts) => {
    expect(await detect(files as Files, scripts)).toMatchObject({ setup: [], command: 'npm test' });
  });

  const NAMED: Files = { 'test/a.test.js': "import './set-up.js';", 'test/set-up.js': '' };
  const BENCH: Files = { ...NAMED, 'test/bench.js': `import '../dist/a.js';` };
  test.each<[string, Files, string[]]>([
    ['only a benchmark imports it', BENCH, []],
    [
      'a file does that a test loads',
      { ...BENCH, 'test/set-up.js': `import '../dist/a.js';` },
      ['npm run build'],
    ],
    [
      'other names may be tests',
      { ...BENCH, 'vitest.config.js': `({ include: ['test/*.js'] })` },
      ['npm run build'],
    ],
  ])('of Vitest, where %s', async (_, files, setup) => {
    const scripts = { test: 'vitest run', build: 'node build.js' };
    expect(await detect({ ...installed('vitest'), ...files }, scripts)).toMatchObject({ setup });
  });

  test.each([
    ['mocha "test/**/*.test.js"', []],
    ['mocha "test/**/*.js"', ['npm run build']],
    ['mocha --require test/set-up.js "test/**/*.test.js"', ['npm run build']],
  ])('of a pattern of test names, which a benchmark does not have: %s', async (script, setup) => {
    const scripts = { test: script, build: 'node build.js' };
    expect(await detect({ ...installed('mocha'), ...BENCH }, scripts)).toMatchObject({ setup });
  });

  test('a script that publishes is no build', async () => {
    const scripts = { test: 'node --test', build: 'npm publish --dry-run' };
    expect(await detect(BUILT, scripts)).toMatchObject({ setup: [], command: 'npm test' });
  });

  test('a test script that builds by itself is left as it is', async () => {
    const scripts = { test: 'node build.js && node --test', build: 'node build.js' };
    expect(await detect(BUILT, scripts)).toMatchObject({ setup: ['node build.js'], command: 'npm test' });
  });
});
