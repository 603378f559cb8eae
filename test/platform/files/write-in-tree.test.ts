import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { removeFromTree, writeInTree } from '../../../src/platform/files/write-in-tree.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const read = (...parts: string[]): string => readFileSync(join(...parts), 'utf8');

/** A tree with `src`, and a folder outside of it with a file of the same name. */
function makeTree(): { root: string; outside: string } {
  const [root, outside] = [temporaryFolder(), temporaryFolder()];
  writeFiles(root, { 'src/a.js': 'ours' });
  writeFiles(outside, { 'a.js': 'theirs' });
  return { root, outside };
}

describe('a write in a tree', () => {
  it('replaces a file, keeps its mode, and makes missing folders', () => {
    const { root } = makeTree();
    chmodSync(join(root, 'src/a.js'), 0o755);
    writeInTree(root, 'src/a.js', 'new');
    writeInTree(root, join(root, 'src/deep/b.js'), Buffer.from('b'));
    expect([read(root, 'src/a.js'), read(root, 'src/deep/b.js')]).toEqual(['new', 'b']);
    expect(statSync(join(root, 'src/a.js')).mode & 0o777).toBe(0o755);
  });

  it('follows a link that stays in the tree', () => {
    const { root } = makeTree();
    symlinkSync('src', join(root, 'lib'));
    symlinkSync('a.js', join(root, 'src/b.js'));
    writeInTree(root, 'lib/a.js', 'by folder');
    expect(read(root, 'src/a.js')).toBe('by folder');
    writeInTree(root, 'src/b.js', 'by file');
    expect(read(root, 'src/a.js')).toBe('by file');
  });

  it.each([
    ['a folder', (root: string, outside: string) => symlinkSync(outside, join(root, 'lib')), 'lib/a.js'],
    [
      'a missing part of one',
      (root: string, outside: string) => symlinkSync(outside, join(root, 'lib')),
      'lib/x/a.js',
    ],
    [
      'a file',
      (root: string, outside: string) => symlinkSync(join(outside, 'a.js'), join(root, 'b.js')),
      'b.js',
    ],
    [
      'no file',
      (root: string, outside: string) => symlinkSync(join(outside, 'none'), join(root, 'b.js')),
      'b.js',
    ],
    ['its parent', () => {}, '../a.js'],
  ])('is refused through a link to %s outside', (_what, link, path) => {
    const { root, outside } = makeTree();
    link(root, outside);
    expect(() => writeInTree(root, path, 'evil')).toThrow(/leads out of the tree/);
    removeFromTree(root, path === 'b.js' ? 'none' : path);
    expect(read(outside, 'a.js')).toBe('theirs');
    expect([existsSync(join(outside, 'none')), existsSync(join(outside, 'x'))]).toEqual([false, false]);
  });

  it('is not undone through a link: only a link itself is removed', () => {
    const { root, outside } = makeTree();
    symlinkSync(join(outside, 'a.js'), join(root, 'b.js'));
    removeFromTree(root, 'b.js');
    expect([existsSync(join(root, 'b.js')), read(outside, 'a.js')]).toEqual([false, 'theirs']);
    mkdirSync(join(root, 'gone'));
    writeFileSync(join(root, 'gone/c.js'), '');
    removeFromTree(root, 'gone/c.js');
    removeFromTree(root, 'none/c.js');
    expect(existsSync(join(root, 'gone/c.js'))).toBe(false);
  });
});
