import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, test } from 'vitest';
import {
  git,
  openWorkspace,
  read,
  temporaryFolder,
  temporaryRepository,
  write,
} from '../temporary-repository.ts';

const IGNORE = { '.gitignore': 'node_modules/\n' };

function resolveFrom(root: string, folder: string, name: string): string {
  return realpathSync(createRequire(join(root, folder, 'x.js')).resolve(name));
}

describe('dependencies of a workspace', () => {
  test('links npm packages to the user’s installation, and packages of the repository to the workspace', async () => {
    const root = temporaryRepository({
      ...IGNORE,
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/a/package.json': '{"name":"@org/a"}',
      'packages/a/index.js': 'a\n',
      'packages/b/package.json': '{"name":"b"}',
      'packages/b/cli.js': { program: '#!/usr/bin/env node\n' },
    });
    write(root, {
      'node_modules/dep/package.json': '{"name":"dep"}',
      'node_modules/dep/index.js': 'dep\n',
      'node_modules/dep/cli.js': { program: '' },
      'node_modules/@org/ext/index.js': 'ext\n',
      'node_modules/@org/a': { to: '../../packages/a' },
      'node_modules/b': { to: '../packages/b' },
      'node_modules/.bin/dep': { to: '../dep/cli.js' },
      'node_modules/.bin/b': { to: '../b/cli.js' },
      'node_modules/.package-lock.json': '{}',
      'node_modules/.vite/deps.json': '{}',
      'packages/a/node_modules/dep/index.js': 'dep of a\n',
    });
    const { workspace } = await openWorkspace(root);
    const at = workspace.root;
    expect(resolveFrom(at, '.', 'dep')).toBe(join(root, 'node_modules/dep/index.js'));
    expect(resolveFrom(at, '.', '@org/ext')).toBe(join(root, 'node_modules/@org/ext/index.js'));
    expect(resolveFrom(at, '.', '@org/a')).toBe(join(at, 'packages/a/index.js'));
    expect(resolveFrom(at, 'packages/a', 'dep')).toBe(join(root, 'packages/a/node_modules/dep/index.js'));
    expect(realpathSync(join(at, 'node_modules/.bin/dep'))).toBe(join(root, 'node_modules/dep/cli.js'));
    expect(realpathSync(join(at, 'node_modules/.bin/b'))).toBe(join(at, 'packages/b/cli.js'));
    expect(existsSync(join(at, 'node_modules/.vite'))).toBe(false);
    for (const folder of [
      'node_modules',
      'node_modules/@org',
      'node_modules/.bin',
      'packages/a/node_modules',
    ]) {
      expect(lstatSync(join(at, folder)).isDirectory(), folder).toBe(true);
    }
  });

  test('copies installed packages that import a package of the repository, with their commands', async () => {
    const root = temporaryRepository({
      ...IGNORE,
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/core/package.json': '{"name":"core"}',
      'packages/core/index.js': 'core\n',
    });
    write(root, {
      'node_modules/core': { to: '../packages/core' },
      'node_modules/plugin/package.json': '{"name":"plugin","peerDependencies":{"core":"*"}}',
      'node_modules/plugin/index.js': 'plugin\n',
      'node_modules/cli/package.json': '{"name":"cli","dependencies":{"plugin":"1"}}',
      'node_modules/cli/cli.js': { program: '' },
      'node_modules/.bin/cli': { to: '../cli/cli.js' },
      // These two do not reach it: one brings another version with it, one does not import it.
      'node_modules/old/package.json': '{"name":"old","dependencies":{"core":"1"}}',
      'node_modules/old/node_modules/core/index.js': 'old core\n',
      'node_modules/other/package.json': '{"name":"other"}',
    });
    const { workspace } = await openWorkspace(root);
    const at = workspace.root;
    const plugin = resolveFrom(at, '.', 'plugin');
    expect(plugin).toBe(join(at, 'node_modules/plugin/index.js'));
    expect(createRequire(plugin).resolve('core')).toBe(join(at, 'packages/core/index.js'));
    expect(realpathSync(join(at, 'node_modules/.bin/cli'))).toBe(join(at, 'node_modules/cli/cli.js'));
    for (const name of ['old', 'other'])
      expect(realpathSync(join(at, 'node_modules', name))).toBe(join(root, 'node_modules', name));
    rmSync(join(at, 'node_modules/plugin'), { recursive: true });
    await workspace.restore(workspace.base);
    expect(read(at, 'node_modules/plugin/index.js')).toBe('plugin\n');
    write(root, { 'node_modules/plugin/index.js': 'plugin 2\n' });
    const { workspace: later } = await openWorkspace(root);
    expect(read(later.root, 'node_modules/plugin/index.js')).toBe('plugin 2\n');
  });

  test.each([
    ["commonjs({ include: 'node_modules/**' })", true],
    ["commonjs({ include: ['./node_modules/**/*.js'] })", true],
    ['commonjs({ include: [/node_modules/] })', false],
    ["commonjs({ include: 'src/**' }), babel({ exclude: 'node_modules/**' })", false],
  ])('copies what a bundler takes from its own node_modules: %s', async (plugin, isCopied) => {
    const root = temporaryRepository({
      ...IGNORE,
      'package.json': '{}',
      'rollup.config.js': `import tool from 'tool';\nexport default { plugins: [${plugin}] };\n`,
      'src/index.js': "import { a } from 'bundled/a';\nexport { a };\n",
      'test/index.js': "import 'runner';\n",
    });
    write(root, {
      'node_modules/bundled/package.json': '{"name":"bundled","dependencies":{"@org/needed":"1"}}',
      'node_modules/bundled/a.js': 'a\n',
      'node_modules/@org/needed/package.json': '{"name":"@org/needed"}',
      'node_modules/tool/package.json': '{"name":"tool"}',
      'node_modules/runner/package.json': '{"name":"runner"}',
    });
    const { workspace } = await openWorkspace(root);
    const from = (name: string): string => realpathSync(join(workspace.root, 'node_modules', name));
    for (const name of ['bundled', '@org/needed'])
      expect(from(name)).toBe(join(isCopied ? workspace.root : root, 'node_modules', name));
    for (const name of ['tool', 'runner']) expect(from(name)).toBe(join(root, 'node_modules', name));
  });

  test('resolves pnpm packages through the store, and packages of the repository in the workspace', async () => {
    const store = 'node_modules/.pnpm';
    const root = temporaryRepository({
      ...IGNORE,
      'package.json': '{}',
      'packages/a/package.json': '{"name":"a"}',
      'packages/a/index.js': 'a\n',
      'packages/b/package.json': '{"name":"b"}',
    });
    write(root, {
      [`${store}/dep@1.0.0/node_modules/dep/index.js`]: 'require("inner")\n',
      [`${store}/dep@1.0.0/node_modules/inner`]: { to: '../../inner@2.0.0/node_modules/inner' },
      [`${store}/inner@2.0.0/node_modules/inner/index.js`]: 'inner\n',
      [`${store}/lock.yaml`]: 'lockfileVersion: 9\n',
      'node_modules/dep': { to: '.pnpm/dep@1.0.0/node_modules/dep' },
      'node_modules/.modules.yaml': '{}\n',
      'node_modules/.bin/dep': { program: '#!/bin/sh\n' },
      'packages/b/node_modules/a': { to: '../../a' },
      'packages/b/node_modules/dep': { to: '../../../node_modules/.pnpm/dep@1.0.0/node_modules/dep' },
    });
    const { workspace } = await openWorkspace(root);
    const at = workspace.root;
    const dep = join(root, store, 'dep@1.0.0/node_modules/dep/index.js');
    expect(resolveFrom(at, 'packages/b', 'a')).toBe(join(at, 'packages/a/index.js'));
    expect(resolveFrom(at, 'packages/b', 'dep')).toBe(dep);
    expect(createRequire(dep).resolve('inner')).toBe(
      join(root, store, 'inner@2.0.0/node_modules/inner/index.js'),
    );
    for (const path of ['node_modules/.modules.yaml', `${store}/lock.yaml`, 'node_modules/.bin/dep']) {
      expect(lstatSync(join(at, path)).isFile(), path).toBe(true);
    }
    expect(lstatSync(join(at, store)).isDirectory()).toBe(true);
  });

  test('takes an ignored Yarn Plug’n’Play installation along, and keeps it out of the tree', async () => {
    const root = temporaryRepository({ '.gitignore': '.yarn/cache/\n', 'package.json': '{}' });
    const map = (cache: string): string =>
      `{\\\n"packageLocation": "${cache}/kept.zip/dep/",\\\n"packageLocation": "./.yarn/cache/dep.zip/dep/"}`;
    const cache = temporaryFolder();
    write(root, {
      '.pnp.cjs': map(relative(root, cache)),
      '.yarn/cache/dep.zip': 'zip',
      '.yarn/unplugged/x/y.js': '1\n',
    });
    const { workspace, snapshots } = await openWorkspace(root);
    const moved = map(relative(workspace.root, cache));
    expect(read(workspace.root, '.pnp.cjs')).toBe(moved);
    expect(read(workspace.root, '.yarn/cache/dep.zip')).toBe('zip');
    expect(await workspace.checkpoint()).toBe(workspace.base);
    const files = await snapshots.listFiles(workspace.base);
    expect(files.map(({ path }) => path)).toEqual(['.gitignore', 'package.json']);
    write(workspace.root, { '.pnp.cjs': moved.replace('kept', 'mine') });
    workspace.repair();
    expect(read(workspace.root, '.pnp.cjs')).toBe(moved);
  });

  test('copies a tracked Yarn Plug’n’Play installation with the tree', async () => {
    const root = temporaryRepository({ '.pnp.cjs': '1\n', '.yarn/cache/dep.zip': 'zip' });
    const { workspace } = await openWorkspace(root);
    expect(lstatSync(join(workspace.root, '.pnp.cjs')).isFile()).toBe(true);
    expect(lstatSync(join(workspace.root, '.yarn/cache/dep.zip')).isFile()).toBe(true);
  });

  test('follows a node_modules that is itself a link', async () => {
    const elsewhere = temporaryFolder();
    write(elsewhere, { 'dep/index.js': '1\n' });
    const root = temporaryRepository({ ...IGNORE, 'a.js': '1\n' });
    symlinkSync(elsewhere, join(root, 'node_modules'));
    const { workspace } = await openWorkspace(root);
    expect(resolveFrom(workspace.root, '.', 'dep')).toBe(join(elsewhere, 'dep/index.js'));
    expect(lstatSync(join(workspace.root, 'node_modules')).isDirectory()).toBe(true);
    expect(await workspace.checkpoint()).toBe(workspace.base);
  });

  test('keeps files that a tool writes into node_modules in the workspace', async () => {
    const root = temporaryRepository({ ...IGNORE, 'a.js': '1\n' });
    write(root, { 'node_modules/dep/index.js': '1\n', 'node_modules/.cache/x': 'user\n' });
    const { workspace } = await openWorkspace(root);
    write(workspace.root, {
      'node_modules/.cache/x': 'tool\n',
      'node_modules/.bin/new': 'tool\n',
      'node_modules/added/index.js': 'tool\n',
    });
    expect(read(root, 'node_modules/.cache/x')).toBe('user\n');
    expect(existsSync(join(root, 'node_modules/.bin'))).toBe(false);
    expect(existsSync(join(root, 'node_modules/added'))).toBe(false);
  });

  test('restores a replaced dependency and keeps an added one', async () => {
    const root = temporaryRepository({ ...IGNORE, 'a.js': '1\n' });
    write(root, { 'node_modules/runner/index.js': 'real\n', 'node_modules/@s/x/index.js': 'real\n' });
    const { workspace } = await openWorkspace(root);
    const elsewhere = temporaryFolder();
    write(elsewhere, { 'x/index.js': 'fake\n' });
    write(workspace.root, {
      'node_modules/runner': { to: elsewhere },
      'node_modules/@s': { to: elsewhere },
      'node_modules/extra/index.js': '1\n',
    });
    await workspace.restore(workspace.base);
    expect(read(workspace.root, 'node_modules/runner/index.js')).toBe('real\n');
    expect(read(workspace.root, 'node_modules/@s/x/index.js')).toBe('real\n');
    expect(read(workspace.root, 'node_modules/extra/index.js')).toBe('1\n');
    expect(read(elsewhere, 'x/index.js')).toBe('fake\n');
  });

  test('does not restore a dependency through a link or over a file', async () => {
    const root = temporaryRepository({ ...IGNORE, 'a/index.js': '1\n', 'b/index.js': '1\n' });
    write(root, { 'a/node_modules/dep/index.js': '1\n', 'b/node_modules/dep/index.js': '1\n' });
    const { workspace } = await openWorkspace(root);
    const elsewhere = temporaryFolder();
    rmSync(join(workspace.root, 'a'), { recursive: true });
    write(workspace.root, { a: { to: elsewhere }, b: 'a file now\n' });
    workspace.repair();
    expect(existsSync(join(elsewhere, 'node_modules'))).toBe(false);
    expect(read(workspace.root, 'b')).toBe('a file now\n');
    await workspace.restore(workspace.base);
    expect(read(workspace.root, 'a/node_modules/dep/index.js')).toBe('1\n');
  });

  const VICTIM = { '@s/x/index.js': 'theirs\n', '.bin/tool': 'theirs\n', 'dep/index.js': 'theirs\n' };

  test('leaves a folder alone that a tracked node_modules leads to', async () => {
    const elsewhere = temporaryFolder();
    write(elsewhere, VICTIM);
    const root = temporaryRepository({ 'a.js': '1\n', node_modules: { to: elsewhere } });
    const { workspace } = await openWorkspace(root);
    await workspace.restore(workspace.base);
    for (const [path, text] of Object.entries(VICTIM)) expect(read(elsewhere, path), path).toBe(text);
    expect(lstatSync(join(elsewhere, '@s/x')).isDirectory()).toBe(true);
    expect(readlinkSync(join(workspace.root, 'node_modules'))).toBe(elsewhere);
  });

  test('does not restore dependencies through a link in place of node_modules', async () => {
    const root = temporaryRepository({ ...IGNORE, 'a.js': '1\n' });
    write(root, { 'node_modules/@s/x/index.js': 'real\n', 'node_modules/.bin/tool': 'real\n' });
    const { workspace } = await openWorkspace(root);
    const elsewhere = temporaryFolder();
    write(elsewhere, VICTIM);
    rmSync(join(workspace.root, 'node_modules'), { recursive: true });
    write(workspace.root, { node_modules: { to: elsewhere } });
    workspace.repair();
    for (const [path, text] of Object.entries(VICTIM)) expect(read(elsewhere, path), path).toBe(text);
    expect(lstatSync(join(elsewhere, '@s/x')).isDirectory()).toBe(true);
    expect(read(workspace.root, 'node_modules/@s/x/index.js')).toBe('real\n');
    expect(read(workspace.root, 'node_modules/.bin/tool')).toBe('real\n');
  });

  test('copies no file that only a link in place of node_modules makes one of packages', async () => {
    const elsewhere = temporaryFolder();
    write(elsewhere, { '.keys/private': 'secret\n', 'top.txt': 'secret\n', 'dep/index.js': '1\n' });
    const root = temporaryRepository({ ...IGNORE, 'a.js': '1\n' });
    symlinkSync(elsewhere, join(root, 'node_modules'));
    const { workspace } = await openWorkspace(root);
    expect(existsSync(join(workspace.root, 'node_modules/dep/index.js'))).toBe(true);
    for (const path of ['.keys/private', 'top.txt'])
      expect(existsSync(join(workspace.root, 'node_modules', path)), path).toBe(false);
  });

  test('follows packages that the user installed and removed before reopening', async () => {
    const root = temporaryRepository({ ...IGNORE, 'a.js': '1\n' });
    write(root, { 'node_modules/old/index.js': '1\n', 'node_modules/@s/old/index.js': '1\n' });
    const first = await openWorkspace(root);
    rmSync(join(root, 'node_modules/old'), { recursive: true });
    rmSync(join(root, 'node_modules/@s/old'), { recursive: true });
    write(root, { 'node_modules/new/index.js': '1\n', 'node_modules/@s/new/index.js': '1\n' });
    const { workspace } = await openWorkspace(root, first);
    expect(existsSync(join(workspace.root, 'node_modules/new'))).toBe(true);
    for (const gone of ['node_modules/old', 'node_modules/@s/old']) {
      expect(lstatSync(join(workspace.root, gone), { throwIfNoEntry: false }), gone).toBeUndefined();
    }
  });

  test('copies tracked fixtures in a node_modules folder', async () => {
    const fixture = 'test/fixtures/app/node_modules/dep/index.js';
    const root = temporaryRepository({ 'a.js': '1\n', [fixture]: 'fixture\n' });
    writeFileSync(join(root, '.gitignore'), 'node_modules\n');
    write(root, { 'test/fixtures/app/node_modules/loose/index.js': '1\n' });
    const { workspace } = await openWorkspace(root);
    write(workspace.root, { [fixture]: 'edited\n' });
    expect(read(root, fixture)).toBe('fixture\n');
    await workspace.restore(workspace.base);
    expect(read(workspace.root, fixture)).toBe('fixture\n');
    expect(read(workspace.root, 'test/fixtures/app/node_modules/loose/index.js')).toBe('1\n');
  });

  test('resolves packages of a real npm workspaces installation in the workspace', async () => {
    const root = temporaryRepository({
      ...IGNORE,
      'package.json': '{"name":"top","private":true,"workspaces":["packages/*"]}',
      'packages/a/package.json': '{"name":"@org/a","version":"1.0.0","bin":{"a":"cli.js"}}',
      'packages/a/index.js': 'a\n',
      'packages/a/cli.js': { program: '#!/usr/bin/env node\nconsole.log(__filename)\n' },
      'packages/b/package.json': '{"name":"b","version":"1.0.0","dependencies":{"@org/a":"1.0.0"}}',
    });
    execaSync('npm', ['install', '--offline', '--no-audit', '--no-fund'], { cwd: root });
    const { workspace } = await openWorkspace(root);
    expect(resolveFrom(workspace.root, 'packages/b', '@org/a')).toBe(
      join(workspace.root, 'packages/a/index.js'),
    );
    const printed = execaSync(join(workspace.root, 'node_modules/.bin/a')).stdout;
    expect(printed.trim()).toBe(join(workspace.root, 'packages/a/cli.js'));
    expect(git(root, 'status', '--porcelain', '--', 'packages')).toBe('');
  });
});

describe('carried files', () => {
  test('copies only ignored files that match a glob', async () => {
    const root = temporaryRepository({ '.gitignore': '.env*\n*.log\ngenerated/\n', 'a.js': '1\n' });
    write(root, {
      '.env': 'A=1\n',
      'packages/x/.env.local': 'B=1\n',
      'debug.log': 'x',
      'generated/api/client.ts': '1\n',
      'generated/node_modules/huge/.env': '1\n',
    });
    const { workspace } = await openWorkspace(root, { carry: ['.env*', 'generated/**/*.ts'] });
    expect([...workspace.carried].sort()).toEqual([
      '.env',
      'generated/api/client.ts',
      'packages/x/.env.local',
    ]);
    expect(read(workspace.root, 'packages/x/.env.local')).toBe('B=1\n');
    expect(existsSync(join(workspace.root, 'debug.log'))).toBe(false);
    expect(await workspace.checkpoint()).toBe(workspace.base);
  });

  test('are separate copies, and equal to the user’s after a restore', async () => {
    const shared = temporaryFolder();
    writeFileSync(join(shared, 'env'), 'A=1\n');
    const root = temporaryRepository({ '.gitignore': '.env\n', 'a.js': '1\n' });
    symlinkSync(join(shared, 'env'), join(root, '.env'));
    const { workspace } = await openWorkspace(root);
    writeFileSync(join(workspace.root, '.env'), 'A=2\n');
    expect(read(shared, 'env')).toBe('A=1\n');
    await workspace.restore(workspace.base);
    expect(read(workspace.root, '.env')).toBe('A=1\n');
  });

  test('are not written through a link in place of their folder', async () => {
    const root = temporaryRepository({ '.gitignore': '.env\n', 'app/a.js': '1\n' });
    write(root, { 'app/.env': 'A=1\n' });
    const { workspace } = await openWorkspace(root);
    const elsewhere = temporaryFolder();
    write(elsewhere, { '.env': 'of somebody else\n' });
    write(workspace.root, { app: { to: elsewhere } });
    workspace.repair();
    expect(read(elsewhere, '.env')).toBe('of somebody else\n');
    await workspace.restore(workspace.base);
    expect(read(workspace.root, 'app/.env')).toBe('A=1\n');
  });

  test('include a whole ignored folder that a glob names', async () => {
    const root = temporaryRepository({ '.gitignore': 'generated\n', 'a.js': '1\n' });
    mkdirSync(join(root, 'generated'));
    write(root, { 'generated/deep/x.bin': Buffer.from([0, 255]) });
    const { workspace } = await openWorkspace(root, { carry: ['generated'] });
    expect(workspace.carried).toEqual(['generated/deep/x.bin']);
  });
});
