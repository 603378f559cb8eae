import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { filesStamp } from '../../../src/compose/gate/files-stamp.ts';
import { git, repositoryWith, temporaryFolder, writeFiles } from '../../support/repositories.ts';

/** The stamp says nothing about files that changed just now. */
async function stampOf(root: string): Promise<string | undefined> {
  await delay(70);
  return filesStamp(root, {});
}

function repository(): string {
  const root = repositoryWith({ 'src/a.js': 'one', '.gitignore': 'ignored/\n.env\nlink\nnode_modules\n' });
  writeFiles(root, { 'ignored/a.txt': '1', '.env': 'A=1' });
  return root;
}

describe('filesStamp', () => {
  it('stays the same for a commit of the same index, installed packages and the state of ralph', async () => {
    const root = repository();
    const before = await stampOf(root);
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    writeFiles(root, { 'node_modules/dep/index.js': '1', '.aiwg/ralph/state.json': '{}' });
    git(root, 'branch', 'other');
    expect(await stampOf(root)).toBe(before);
  });

  it.each<[string, (root: string) => void]>([
    [
      'an edit of the same size whose time was reset',
      (root) => {
        writeFileSync(join(root, 'src/a.js'), 'two');
        utimesSync(join(root, 'src/a.js'), 0, 0);
      },
    ],
    ['a new file', (root) => writeFiles(root, { 'src/b.js': '' })],
    ['an ignored file that checks may read', (root) => writeFiles(root, { '.env': 'A=2' })],
    ['a new file in an ignored folder', (root) => writeFiles(root, { 'ignored/b.txt': '' })],
    ['a file behind a link', (root) => writeFileSync(join(root, 'link'), 'other')],
    ['a file that is staged although it is ignored', (root) => git(root, 'add', '-f', 'ignored/a.txt')],
    ['a rule of its own to ignore files', (root) => writeFiles(root, { '.git/info/exclude': 'src\n' })],
    ['a merge in progress', (root) => writeFiles(root, { '.git/MERGE_HEAD': '' })],
    ['a setting of git', (root) => git(root, 'config', 'core.ignoreCase', 'true')],
  ])('changes with %s', async (_, change) => {
    const root = repository();
    const outside = join(temporaryFolder(), 'outside');
    writeFileSync(outside, 'one');
    symlinkSync(outside, join(root, 'link'));
    const before = await stampOf(root);
    change(root);
    expect(await stampOf(root)).not.toBe(before);
    expect(before).toBeDefined();
  });

  it('follows a linked work tree to its own index', async () => {
    const root = repository();
    const linked = join(temporaryFolder(), 'linked');
    git(root, 'worktree', 'add', '--quiet', linked);
    const before = await stampOf(linked);
    writeFiles(linked, { 'ignored/x': '' });
    const between = await stampOf(linked);
    git(linked, 'add', '-f', 'ignored/x');
    expect(new Set([before, between, await stampOf(linked)]).size).toBe(3);
  });

  it('is undefined for a nested repository, another git directory, and a folder without git', async () => {
    const root = repository();
    await delay(70);
    expect(filesStamp(root, { GIT_DIR: '/elsewhere' })).toBeUndefined();
    mkdirSync(join(root, 'nested/.git'), { recursive: true });
    expect(await stampOf(root)).toBeUndefined();
    expect(await stampOf(temporaryFolder())).toBeUndefined();
  });
});
