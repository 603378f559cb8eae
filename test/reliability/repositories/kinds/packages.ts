/** Package managers, monorepos, and incomplete packages. */
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  ADDER,
  BUGGY,
  linkPackage,
  manifest,
  repository,
  testOf,
  write,
  type Files,
  type Testbed,
} from '../testbed.ts';
import { inFullOnly, REPAIRED, type Kind, type Refused } from '../kind.ts';

const LOCKFILES = {
  npm: ['package-lock.json', '{"lockfileVersion":3}\n', /npm ci/],
  pnpm: ['pnpm-lock.yaml', "lockfileVersion: '9.0'\n", /pnpm install --frozen-lockfile/],
  yarn: ['yarn.lock', '# yarn lockfile v1\n', /yarn install --frozen-lockfile/],
  bun: ['bun.lock', '{"lockfileVersion":1}\n', /bun install --frozen-lockfile/],
} as const;

/** A package whose source and test need the package `five`. */
const NEEDS_FIVE: Files = {
  ...ADDER,
  'package.json': manifest({ dependencies: { five: '1.0.0' } }),
  'test/add.test.js': `import { five } from 'five';\n${testOf('../src/add.js').replace(', 5)', ', five)')}`,
};
const FIVE: Files = {
  'package.json': manifest({ name: 'five', exports: './index.js', scripts: {} }),
  'index.js': 'export const five = 5;\n',
};

function notInstalled(manager: keyof typeof LOCKFILES): Kind {
  const [file, text, command] = LOCKFILES[manager];
  return {
    name: `${manager}: dependencies that are not installed`,
    make(testbed) {
      const root = repository(testbed, { ...NEEDS_FIVE, [file]: text });
      return { cwd: root, expected: { exitCode: 6, messages: [/not installed/, command] } };
    },
  };
}

/** Replaces a package manager that is not installed here: it runs scripts as npm does. */
function programCalled(testbed: Testbed, name: string): Record<string, string> {
  const folder = join(testbed.home, 'programs');
  write(folder, { [name]: '#!/bin/sh\nexec npm "$@"\n' });
  chmodSync(join(folder, name), 0o755);
  return { PATH: `${folder}:${testbed.env['PATH']}` };
}

/** A package whose dependency is installed in the layout of a package manager. */
function installed(manager: keyof typeof LOCKFILES, install: (root: string) => void): Kind {
  const [file, text] = LOCKFILES[manager];
  return {
    name: `${manager}: installed dependencies`,
    make(testbed) {
      const root = repository(testbed, { ...NEEDS_FIVE, [file]: text });
      install(root);
      return { cwd: root, env: manager === 'npm' ? {} : programCalled(testbed, manager), expected: REPAIRED };
    },
  };
}

function plain(root: string): void {
  write(join(root, 'node_modules', 'five'), FIVE);
}

/** pnpm's virtual store: the package is reached through its link. */
function virtualStore(root: string): void {
  write(join(root, 'node_modules/.pnpm/five@1.0.0/node_modules/five'), FIVE);
  write(join(root, 'node_modules'), { '.modules.yaml': 'layoutVersion: 5\n' });
  symlinkSync('.pnpm/five@1.0.0/node_modules/five', join(root, 'node_modules', 'five'));
}

function refused(name: string, files: Files, expected: Refused): Kind {
  return { name, make: (testbed) => ({ cwd: repository(testbed, files), expected }) };
}

/** A monorepo: `packages/app` has the tests and imports `packages/lib`, which has the bug, by its name. */
function monorepo(
  testbed: Testbed,
  link: (root: string) => void,
  root = manifest({ name: 'all', workspaces: ['packages/*'], scripts: {} }),
): string {
  const repo = repository(testbed, {
    '.gitignore': 'node_modules\n',
    'package.json': root,
    'packages/lib/package.json': manifest({ name: '@all/lib', exports: './index.js', scripts: {} }),
    'packages/lib/index.js': BUGGY,
    'packages/app/package.json': manifest({ name: '@all/app', dependencies: { '@all/lib': '*' } }),
    'packages/app/test/app.test.js': testOf('@all/lib'),
  });
  link(repo);
  return join(repo, 'packages', 'app');
}

function linked(root: string, at: string): void {
  write(root, { [at]: { to: '../../packages/lib' } });
}

const FIX_LIB = "sed -i 's/a - b/a + b/' ../lib/index.js";
const LIB = { repaired: ['project/packages/lib/index.js'] };

export const PACKAGES: readonly Kind[] = [
  notInstalled('npm'),
  notInstalled('pnpm'),
  notInstalled('yarn'),
  notInstalled('bun'),
  inFullOnly(installed('npm', plain)),
  installed('pnpm', virtualStore),
  inFullOnly(installed('yarn', plain)),
  inFullOnly(installed('bun', plain)),
  {
    name: 'monorepo: the bug is in another package',
    make: (testbed) => ({
      cwd: monorepo(testbed, (root) => linked(root, 'node_modules/@all/lib')),
      actor: FIX_LIB,
      expected: LIB,
    }),
  },
  {
    name: 'monorepo of pnpm: links in each package',
    fullOnly: true,
    make(testbed) {
      const cwd = monorepo(testbed, (root) => {
        write(root, {
          'packages/app/node_modules/@all/lib': { to: '../../../lib' },
          'node_modules/.modules.yaml': '',
        });
      });
      write(join(cwd, '..', '..'), {
        'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
        'pnpm-lock.yaml': '',
      });
      return { cwd, actor: FIX_LIB, env: programCalled(testbed, 'pnpm'), expected: LIB };
    },
  },
  {
    name: 'tests without a test script',
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'package.json': manifest({ scripts: {} }) });
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: "npm's own placeholder for a test script, but tests",
    fullOnly: true,
    make(testbed) {
      const scripts = { test: 'echo "Error: no test specified" && exit 1' };
      return {
        cwd: repository(testbed, { ...ADDER, 'package.json': manifest({ scripts }) }),
        expected: REPAIRED,
      };
    },
  },
  {
    name: 'another language, with --check',
    fullOnly: true,
    make(testbed) {
      const files = { 'add.sh': 'echo $(($1 - $2))\n', 'test.sh': 'test "$(sh add.sh 2 3)" = 5\n' };
      const args = ['--check', 'tests=sh test.sh', '--command', "sed -i 's/\\$1 - \\$2/$1 + $2/' add.sh"];
      const edit = (before: Buffer): Buffer => Buffer.from(before.toString().replace('-', '+'));
      return { cwd: repository(testbed, files), args, expected: { repaired: ['project/add.sh'], edit } };
    },
  },
  {
    name: 'TypeScript with a linked compiler',
    fullOnly: true,
    make(testbed) {
      const source = 'export function add(a: number, b: number): number {\n  return a - b;\n}\n';
      const tsconfig =
        '{"compilerOptions":{"module":"nodenext","noEmit":true,"strict":true,"types":[]},"include":["src"]}\n';
      const files = {
        ...ADDER,
        'src/add.ts': source,
        'test/add.test.js': testOf('../src/add.ts'),
        'tsconfig.json': tsconfig,
      };
      const root = repository(testbed, {
        ...files,
        'package.json': manifest({
          scripts: { test: 'node --test', types: 'tsc' },
          devDependencies: { typescript: '*' },
        }),
      });
      linkPackage(root, 'typescript');
      const actor = "sed -i 's/a - b/a + b/' src/add.ts";
      return { cwd: root, actor, expected: { repaired: ['project/src/add.ts'] } };
    },
  },
  refused(
    'no package.json',
    { 'README.md': 'nothing\n' },
    { exitCode: 6, messages: [/no package\.json/, /--check tests=/] },
  ),
  refused(
    'a package.json that is no JSON',
    { ...ADDER, 'package.json': '{ "name": ' },
    { exitCode: 6, messages: [/package\.json is not valid JSON/, /Fix package\.json/] },
  ),
  refused(
    'a package.json that is a folder',
    { 'package.json/x': '' },
    { exitCode: 6, messages: [/package\.json/, /Fix package.json|--check/] },
  ),
  refused(
    'no test script and no tests',
    { 'package.json': manifest({ scripts: {} }), 'index.js': '' },
    { exitCode: 6, messages: [/no (tests|checks)/i, /--check/] },
  ),
  refused(
    'a test script that names a runner that is not installed',
    { ...ADDER, 'package.json': manifest({ scripts: { test: 'vitest run' } }) },
    { exitCode: 6, messages: [/vitest, which is not installed/, /npm install/] },
  ),
  refused(
    'a test script whose program is not there',
    { ...ADDER, 'package.json': manifest({ scripts: { test: 'no-such-runner --all' } }) },
    { exitCode: 6, messages: [/could not run/, /--skip tests/] },
  ),
  {
    name: 'a package manager that is not installed: npm runs the scripts',
    make: (testbed) => ({
      cwd: repository(testbed, {
        ...ADDER,
        'package.json': manifest({ packageManager: 'pnpm@9.1.0' }),
        'pnpm-lock.yaml': '',
      }),
      expected: REPAIRED,
    }),
  },
  refused(
    'a package manager that is not installed, and that the test script calls',
    {
      ...ADDER,
      'package.json': manifest({
        packageManager: 'pnpm@9.1.0',
        scripts: { test: 'pnpm run unit', unit: 'node --test' },
      }),
      'pnpm-lock.yaml': '',
    },
    { exitCode: 6, messages: [/pnpm/, /install|corepack/i] },
  ),
];
