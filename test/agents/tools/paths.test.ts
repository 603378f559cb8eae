import { mkdirSync, symlinkSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/repositories.ts';
import { toolBench } from './tool-bench.ts';

const OUTSIDE = /outside the repository; give a path relative to its root\./;
const NOT_KEPT = /changes in \.git, \.aiwg and node_modules are discarded/;

/** A workspace next to a folder that must stay inaccessible. */
function benchBesideSecret() {
  const home = temporaryFolder();
  mkdirSync(join(home, 'tree'));
  mkdirSync(join(home, 'tree-2'));
  for (const path of ['secret.txt', 'tree-2/secret.txt']) writeFileSync(join(home, path), 'secret');
  const bench = toolBench({ 'src/a.ts': 'a\n' }, { root: join(home, 'tree') });
  const link = (path: string, target: string): void => symlinkSync(target, join(bench.root, path));
  link('to-file', join(home, 'secret.txt'));
  link('to-folder', home);
  link('relative', '../secret.txt');
  link('dangling', join(home, 'new.txt'));
  link('dangling-folder', join(home, 'none'));
  link('loop', 'loop');
  link('inside', 'src/a.ts');
  return { ...bench, home, link };
}

describe('paths that lead out of the workspace', () => {
  const escapes = (home: string): string[] => [
    '../secret.txt',
    'src/../../secret.txt',
    '/etc/passwd',
    '../tree-2/secret.txt',
    join(home, 'secret.txt'),
    join(home, 'tree-2/secret.txt'),
    join(home, 'tree/../secret.txt'),
    'to-file',
    'to-folder/secret.txt',
    'to-folder/new/file.txt',
    'relative',
  ];

  it('are refused by every tool and create nothing', async () => {
    const bench = benchBesideSecret();
    for (const path of escapes(bench.home)) {
      for (const [name, input] of [
        ['read', { path }],
        ['list', { path }],
        ['search', { path, pattern: 'secret' }],
        ['write', { path, content: 'x' }],
        ['edit', { path, edits: [{ oldText: 'secret', newText: 'x' }] }],
      ] as const) {
        expect(await bench.refusal(name, input), `${name} ${path}`).toMatch(OUTSIDE);
      }
    }
    expect(existsSync(join(bench.home, 'new'))).toBe(false);
    expect(bench.actions.every(({ type }) => type === 'other')).toBe(true);
  });

  it('are refused through broken links', async () => {
    const bench = benchBesideSecret();
    expect(await bench.refusal('write', { path: 'dangling', content: 'x' })).toMatch(/broken link/);
    expect(await bench.refusal('write', { path: 'dangling-folder/a', content: 'x' })).toMatch(/broken link/);
    expect(await bench.refusal('read', { path: 'loop' })).toMatch(/link to itself/);
    expect(existsSync(join(bench.home, 'new.txt'))).toBe(false);
  });

  it.each(['a\0b', '', '  '])('%j is not a path', async (path) => {
    expect(await toolBench().refusal('write', { path, content: 'x' })).toMatch(/is not a path|path is empty/);
  });
});

describe('paths inside the workspace', () => {
  it.each(['src/a.ts', './src/a.ts', 'src/../src/a.ts', 'inside'])('%s is read', async (path) => {
    expect(await benchBesideSecret().call('read', { path })).toBe('a');
  });

  it('may start with two dots', async () => {
    const bench = benchBesideSecret();
    await bench.call('write', { path: '..notes', content: 'x' });
    expect(bench.text('..notes')).toBe('x');
  });

  it('may be absolute', async () => {
    const bench = benchBesideSecret();
    expect(await bench.call('read', { path: join(bench.root, 'src/a.ts') })).toBe('a');
    await bench.call('write', { path: join(bench.root, 'src/b.ts'), content: 'b' });
    expect(bench.text('src/b.ts')).toBe('b');
    expect(bench.actions.at(-1)).toMatchObject({ file_path: 'src/b.ts' });
  });

  it('may be absolute below the real path of a linked root', async () => {
    const bench = benchBesideSecret();
    symlinkSync(bench.root, join(bench.home, 'link'));
    const linked = toolBench({}, { root: join(bench.home, 'link') });
    expect(await linked.call('read', { path: join(bench.root, 'src/a.ts') })).toBe('a');
    expect(await linked.call('read', { path: join(bench.home, 'link/src/a.ts') })).toBe('a');
  });
});

describe('folders whose changes are discarded', () => {
  it.each([
    '.git/config',
    '.aiwg/ralph/x',
    'node_modules/a/index.js',
    'packages/a/node_modules/b.js',
    '.GIT/config',
  ])('%s cannot be written', async (path) => {
    const bench = toolBench({ 'packages/a/x': '' });
    expect(await bench.refusal('write', { path, content: 'x' })).toMatch(NOT_KEPT);
    expect(existsSync(join(bench.root, path))).toBe(false);
  });

  it('cannot be written through a link', async () => {
    const bench = benchBesideSecret();
    mkdirSync(join(bench.root, '.git'));
    bench.link('git', '.git');
    expect(await bench.refusal('write', { path: 'git/config', content: 'x' })).toMatch(NOT_KEPT);
  });

  it.each(['.gitignore', '.github/a.yml', 'src/node_modules.ts'])('%s can be written', async (path) => {
    const bench = toolBench();
    await bench.call('write', { path, content: 'x' });
    expect(bench.text(path)).toBe('x');
  });
});

describe('installed packages', () => {
  it('are read through their links', async () => {
    const bench = benchBesideSecret();
    mkdirSync(join(bench.home, 'user/node_modules/left'), { recursive: true });
    writeFileSync(join(bench.home, 'user/node_modules/left/index.d.ts'), 'export {};');
    mkdirSync(join(bench.root, 'node_modules'));
    bench.link('node_modules/left', join(bench.home, 'user/node_modules/left'));
    bench.link('node_modules/evil', bench.home);
    bench.link('src/left', join(bench.home, 'user/node_modules/left'));
    expect(await bench.call('read', { path: 'node_modules/left/index.d.ts' })).toBe('export {};');
    expect(await bench.call('search', { path: 'node_modules/left', pattern: 'export' })).toBe(
      'node_modules/left/index.d.ts:1: export {};',
    );
    expect(await bench.refusal('read', { path: 'node_modules/evil/secret.txt' })).toMatch(OUTSIDE);
    expect(await bench.refusal('read', { path: 'src/left/index.d.ts' })).toMatch(OUTSIDE);
  });
});

describe('paths in a repository of packages', () => {
  const files = {
    'package.json': 'root',
    'packages/a/package.json': 'a',
    'packages/a/src/a.ts': 'a source',
    'packages/b/src/b.ts': 'b source',
  };
  const bench = () => toolBench(files, { cwd: 'packages/a' });

  it.each([
    ['src/a.ts', 'a source'],
    ['packages/a/src/a.ts', 'a source'],
    ['packages/b/src/b.ts', 'b source'],
    ['../b/src/b.ts', 'b source'],
    ['package.json', 'a'],
    ['../../package.json', 'root'],
  ])('%s is found', async (path, text) => {
    expect(await bench().call('read', { path })).toBe(text);
  });

  it.each([
    ['src/new.ts', 'packages/a/src/new.ts'],
    ['packages/a/test/new.ts', 'packages/a/test/new.ts'],
    ['packages/b/new.ts', 'packages/b/new.ts'],
    ['lib/new.ts', 'packages/a/lib/new.ts'],
  ])('%s is created as %s', async (path, created) => {
    const { call, text, actions } = bench();
    await call('write', { path, content: 'x' });
    expect(text(created)).toBe('x');
    expect(actions.at(-1)).toMatchObject({ type: 'file_creation', file_path: created });
  });

  it('are shown in a form that names the same file', async () => {
    const { call } = bench();
    const shown = await call('search', { path: '../..', pattern: '^(root|a|b)' });
    const paths = shown.split('\n').map((line) => line.split(':')[0]!);
    expect(paths).toEqual([
      '../../package.json',
      'packages/a/package.json',
      'packages/a/src/a.ts',
      'packages/b/src/b.ts',
    ]);
    expect(await Promise.all(paths.map((path) => call('read', { path })))).toEqual([
      'root',
      'a',
      'a source',
      'b source',
    ]);
  });
});
