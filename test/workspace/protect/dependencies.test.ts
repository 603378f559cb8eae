import { chmodSync, existsSync, linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  changedDependencies,
  removeShadowing,
  type KnownFiles,
} from '../../../src/workspace/protect/dependencies.ts';
import { temporaryFolder } from '../temporary-repository.ts';

function write(root: string, paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), String(Math.random()));
  }
}

describe('changedDependencies', () => {
  const before = [
    ...['node_modules/a/index.js', 'node_modules/@s/b/lib/deep.js', 'node_modules/.cache/x/y.json'],
    ...['node_modules/.pnpm/c@1/node_modules/c/index.js', 'packages/p/node_modules/d/index.js'],
  ];
  const folders = ['node_modules', 'packages/p/node_modules'];

  it.each([
    ['node_modules/a/index.js', ['node_modules/a']],
    ['node_modules/a/new.js', ['node_modules/a']],
    ['node_modules/@s/b/lib/deep.js', ['node_modules/@s/b']],
    ['node_modules/.pnpm/c@1/node_modules/c/index.js', ['node_modules/.pnpm/c@1/node_modules/c']],
    ['packages/p/node_modules/d/index.js', ['packages/p/node_modules/d']],
    ['node_modules/.cache/x/y.json', []],
    ['src/a.js', []],
  ])('reports for a write to %s: %j', async (path, changed) => {
    const root = temporaryFolder();
    write(root, before);
    await delay(20);
    const since = Date.now();
    await delay(20);
    expect(changedDependencies({ repository: root, folders, sinceMs: since })).toEqual([]);
    write(root, [path]);
    expect(
      changedDependencies({ repository: root, folders, sinceMs: since }).map(({ file }) => file),
    ).toEqual(changed);
  });
});

describe('a file of an installed package that gets another name', () => {
  const watched = (act: (root: string) => void, known?: KnownFiles) => {
    const root = temporaryFolder();
    write(root, ['node_modules/a/index.js']);
    const since = Date.now() + 50;
    while (Date.now() <= since + 20);
    const asked = { repository: root, folders: ['node_modules'], sinceMs: since, known };
    expect(changedDependencies(asked)).toEqual([]);
    act(root);
    return changedDependencies(asked).map(({ file }) => file);
  };
  const file = (root: string): string => join(root, 'node_modules/a/index.js');
  const link = (root: string): void => linkSync(file(root), join(root, 'other.js'));

  it('was not changed, where attempts cannot write there', () => {
    expect(watched(link, new Map())).toEqual([]);
  });

  it.each([
    ['attempts may write there', link, undefined],
    [
      'its text and its time were changed as well',
      (root: string) => {
        link(root);
        writeFileSync(file(root), 'other');
      },
      new Map(),
    ],
    ['its permissions were changed', (root: string) => chmodSync(file(root), 0o600), new Map()],
    ['its time was changed', (root: string) => utimesSync(file(root), 1, 1), new Map()],
  ])('counts as changed if %s', (_what, act, known) => {
    expect(watched(act, known)).toEqual(['node_modules/a']);
  });
});

describe('removeShadowing', () => {
  const folders = new Set(['.', 'test', 'packages/p']);
  const installed = ['node_modules'];
  const leave = (paths: readonly string[]) => {
    const [root, repository] = [temporaryFolder(), temporaryFolder()];
    write(repository, ['node_modules/a/index.js', 'node_modules/@s/b/index.js']);
    write(root, ['package.json', 'packages/p/package.json', ...paths]);
    const found = removeShadowing({ root, repository, folders, installed }).map(({ file }) => file);
    return { found, left: paths.filter((path) => existsSync(join(root, path))) };
  };

  it('removes a node_modules in a folder without package.json', () => {
    expect(leave(['test/node_modules/new/index.js'])).toEqual({ found: ['test/node_modules'], left: [] });
  });

  it('removes a package with the name of an installed one', () => {
    const paths = ['packages/p/node_modules/a/index.js', 'packages/p/node_modules/@s/b/index.js'];
    expect(leave(paths)).toEqual({
      found: ['packages/p/node_modules/@s/b', 'packages/p/node_modules/a'],
      left: [],
    });
  });

  it.each([
    ['test', 'node_modules/new/index.js'],
    ['packages/p/node_modules/@s', 'b/index.js'],
  ])('removes nothing through a link in place of %s', (place, inside) => {
    const [root, repository, elsewhere] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    write(repository, ['node_modules/@s/b/index.js']);
    write(root, ['package.json', 'packages/p/package.json', 'packages/p/node_modules/new/index.js']);
    write(elsewhere, [inside]);
    symlinkSync(elsewhere, join(root, place));
    expect(removeShadowing({ root, repository, folders, installed })).toHaveLength(1);
    expect(existsSync(join(elsewhere, inside))).toBe(true);
    expect(existsSync(join(root, place))).toBe(false);
  });

  it('keeps packages with new names, and installed ones', () => {
    const paths = ['packages/p/node_modules/new/index.js', 'node_modules/new/index.js'];
    expect(leave(paths)).toEqual({ found: [], left: paths });
  });
});
