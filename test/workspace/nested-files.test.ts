import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findNestedFiles, placeNestedFiles } from '../../src/workspace/nested-files.ts';
import {
  fingerprint,
  git,
  openWorkspace,
  read,
  temporaryFolder,
  temporaryRepository,
  write,
} from './temporary-repository.ts';

/** A repository with one of its own in `lib`, which holds an ignored file and a symbolic link. */
function withNested(): string {
  const root = temporaryRepository({ 'a.js': '1\n' });
  mkdirSync(join(root, 'lib'));
  git(join(root, 'lib'), 'init', '--quiet', '--initial-branch=main');
  for (const [name, value] of [
    ['user.name', 'Somebody'],
    ['user.email', 'somebody@example.org'],
  ] as const)
    git(join(root, 'lib'), 'config', name, value);
  write(join(root, 'lib'), {
    'index.js': '2\n',
    'deep/b.js': '3\n',
    '.gitignore': 'out\n',
    link: { to: 'deep' },
  });
  git(join(root, 'lib'), 'add', '--all');
  git(join(root, 'lib'), 'commit', '--quiet', '--message=lib');
  write(join(root, 'lib'), { 'out/built.js': 'built\n', 'new.js': '4\n' });
  return root;
}

describe('nested repositories in a workspace', () => {
  test('are copied with the user’s files, without being repositories', async () => {
    const root = withNested();
    const { workspace } = await openWorkspace(root);
    expect(workspace.nested).toEqual(['lib']);
    expect(workspace.notCovered).toEqual([]);
    expect(read(workspace.root, 'lib/link/b.js')).toBe('3\n');
    expect(read(workspace.root, 'lib/new.js')).toBe('4\n');
    expect(existsSync(join(workspace.root, 'lib/out'))).toBe(false);
    expect(existsSync(join(workspace.root, 'lib/.git'))).toBe(false);
  });

  test('are restored, and not part of a delivery', async () => {
    const root = withNested();
    const before = fingerprint(root);
    const { workspace } = await openWorkspace(root);
    rmSync(join(workspace.root, 'lib/deep'), { recursive: true });
    symlinkSync('/etc', join(workspace.root, 'lib/deep'));
    write(workspace.root, { 'a.js': 'changed\n', 'lib/index.js': 'changed\n', 'lib/more.js': 'more\n' });
    const tree = await workspace.checkpoint();
    const { files } = await workspace.changes(workspace.base, tree);
    expect(files.map(({ path }) => path)).toEqual(['a.js']);
    await workspace.restore(tree);
    expect(read(workspace.root, 'a.js')).toBe('changed\n');
    expect(read(workspace.root, 'lib/index.js')).toBe('2\n');
    expect(read(workspace.root, 'lib/deep/b.js')).toBe('3\n');
    expect(existsSync(join(workspace.root, 'lib/more.js'))).toBe(false);
    expect(fingerprint(root)).toEqual(before);
  });

  test('are not restored through a link in place of a folder above them', () => {
    const [root, workspace, elsewhere] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    write(root, { 'vendor/lib/index.js': 'ours\n' });
    write(elsewhere, { 'lib/index.js': 'theirs\n', 'lib/more.js': 'theirs\n' });
    write(workspace, { vendor: { to: elsewhere } });
    placeNestedFiles(root, workspace, { folders: ['vendor/lib'], files: ['vendor/lib/index.js'] });
    expect([read(elsewhere, 'lib/index.js'), read(elsewhere, 'lib/more.js')]).toEqual([
      'theirs\n',
      'theirs\n',
    ]);
    expect(read(workspace, 'vendor/lib/index.js')).toBe('ours\n');
  });

  test('follow the user’s changes when the workspace is opened again', async () => {
    const root = withNested();
    const { workspace, workspaceDir } = await openWorkspace(root);
    rmSync(join(root, 'lib/new.js'));
    write(join(root, 'lib'), { 'index.js': 'newer\n' });
    await openWorkspace(root, { workspaceDir });
    expect(read(workspace.root, 'lib/index.js')).toBe('newer\n');
    expect(existsSync(join(workspace.root, 'lib/new.js'))).toBe(false);
  });

  test('are copied at every depth', async () => {
    const root = withNested();
    mkdirSync(join(root, 'lib/inner'));
    git(join(root, 'lib/inner'), 'init', '--quiet');
    write(join(root, 'lib/inner'), { 'c.js': '5\n' });
    const { files } = await findNestedFiles(root, ['lib', 'not-there']);
    expect([...files].sort()).toEqual(
      ['.gitignore', 'deep/b.js', 'index.js', 'inner/c.js', 'link', 'new.js'].map((name) => `lib/${name}`),
    );
  });

  test('are left out and listed if they have no commits', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    mkdirSync(join(root, 'lib'));
    git(join(root, 'lib'), 'init', '--quiet');
    write(join(root, 'lib'), { 'c.js': '5\n' });
    const { workspace } = await openWorkspace(root);
    expect([workspace.nested, workspace.notCovered]).toEqual([[], ['lib']]);
  });
});
