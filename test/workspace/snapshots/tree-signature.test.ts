import { appendFileSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { treeSignature } from '../../../src/workspace/snapshots/tree-signature.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

/** As if some time had passed since the last change. */
function settled(root: string): string | undefined {
  return treeSignature(root, { now: Date.now() + 1000 });
}

function tree(): string {
  const root = temporaryFolder();
  writeFiles(root, { 'src/a.js': 'one', 'src/größe.js': 'two', 'node_modules/dep/index.js': '' });
  return root;
}

/** Times of change are told apart from one tick of the kernel to the next. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}

describe('treeSignature', () => {
  it('is the same while no file changes, regardless of dependencies and empty folders', () => {
    const root = tree();
    const before = settled(root);
    expect(before).toContain('src/a.js');
    writeFiles(root, { 'node_modules/dep/index.js': 'other' });
    mkdirSync(join(root, 'empty'));
    expect(settled(root)).toBe(before);
  });

  it.each<[string, (root: string) => void]>([
    ['a file of the same size', (root) => writeFileSync(join(root, 'src/a.js'), 'two')],
    [
      'a file whose modification time was reset',
      (root) => {
        writeFileSync(join(root, 'src/a.js'), 'two');
        utimesSync(join(root, 'src/a.js'), 0, 0);
      },
    ],
    ['a new file', (root) => writeFileSync(join(root, 'src/b.js'), '')],
    ['a file by another name', (root) => renameSync(join(root, 'src/a.js'), join(root, 'src/b.js'))],
    ['a symbolic link', (root) => symlinkSync('a.js', join(root, 'src/link.js'))],
    ['a file that grows', (root) => appendFileSync(join(root, 'src/größe.js'), 'more')],
  ])('changes after %s', async (_name, change) => {
    const root = tree();
    const before = settled(root);
    await nextTick();
    change(root);
    expect(settled(root)).not.toBe(before);
    expect(settled(root)).toBeDefined();
  });

  it('is undefined just after a change, for many files, and for a tree with a repository', () => {
    const root = tree();
    expect(treeSignature(root)).toBeUndefined();
    mkdirSync(join(root, 'inner/.git'), { recursive: true });
    expect(settled(root)).toBeUndefined();
    const large = temporaryFolder();
    for (let file = 0; file < 401; file++) writeFileSync(join(large, `${file}`), '');
    expect(settled(large)).toBeUndefined();
  });
});
