import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createInPlaceWorkspace } from '../../src/workspace/in-place.ts';
import { createGuard } from '../../src/workspace/protect/guard.ts';
import { openRepository } from '../../src/workspace/repository.ts';
import { openSnapshots } from '../../src/workspace/snapshots/snapshots.ts';
import { LOOP, fingerprint, git, read, temporaryRepository, write } from './temporary-repository.ts';

async function openInPlace(root: string) {
  const repository = await openRepository(root);
  const snapshots = await openSnapshots(repository, LOOP);
  return { snapshots, workspace: await createInPlaceWorkspace({ repository, snapshots }) };
}

test('checkpoints and restores the user’s own tree, and never the user’s index or HEAD', async () => {
  const root = temporaryRepository({ 'a.js': '1\n', 'b.js': '1\n', '.gitignore': '*.log\n' });
  write(root, { 'a.js': 'staged\n', 'keep.log': 'ignored\n', 'untracked.js': '1\n' });
  git(root, 'add', 'a.js');
  const before = fingerprint(root);
  const { workspace } = await openInPlace(root);
  write(root, { 'a.js': '2\n', 'new/x.js': '1\n' });
  rmSync(join(root, 'b.js'));
  const tree = await workspace.checkpoint();
  await workspace.restore(workspace.base);
  expect(fingerprint(root)).toEqual(before);
  await workspace.restore(tree);
  expect(read(root, 'new/x.js')).toBe('1\n');
  expect(existsSync(join(root, 'b.js'))).toBe(false);
});

test('stores some files of the workspace on top of a tree, and nothing else that is in it', async () => {
  const root = temporaryRepository({ 'a.js': '1\n', 'b.js': '1\n' });
  const { workspace } = await openInPlace(root);
  const { base } = workspace;
  write(root, { 'a.js': '2\n', 'x.test.js': '1\n', 'written-by-a-check.txt': '1\n' });
  rmSync(join(root, 'b.js'));
  expect(await workspace.checkpointFiles(base, [])).toBe(base);
  const tree = await workspace.checkpointFiles(base, ['x.test.js', 'b.js', 'none.js']);
  const { files } = await workspace.changes(base, tree);
  expect(files.map(({ path, kind }) => `${kind} ${path}`).toSorted()).toEqual([
    'added x.test.js',
    'deleted b.js',
  ]);
});

test('removes files that were never in a checkpoint', async () => {
  const root = temporaryRepository({ 'a.js': '1\n' });
  const { workspace } = await openInPlace(root);
  write(root, { 'new/x.js': '1\n' });
  await workspace.restore(workspace.base);
  expect(existsSync(join(root, 'new'))).toBe(false);
});

test('writes only files that differ', async () => {
  const root = temporaryRepository({ 'a.js': '1\n', 'same.js': '1\n' });
  const { workspace } = await openInPlace(root);
  const { ino, mtimeMs } = statSync(join(root, 'same.js'));
  write(root, { 'a.js': '2\n' });
  await workspace.restore(workspace.base);
  expect(statSync(join(root, 'same.js'))).toMatchObject({ ino, mtimeMs });
});

test('restores protected files and keeps the user’s ignored configuration', async () => {
  const root = temporaryRepository({ 'x.test.js': '1\n', '.gitignore': '.npmrc\n' });
  write(root, { '.npmrc': 'registry=x\n' });
  const { snapshots, workspace } = await openInPlace(root);
  write(root, { 'x.test.js': '2\n' });
  const guard = createGuard({ snapshots, workspace, protect: [], allow: [] });
  expect(await guard.restoreProtected()).toMatchObject([{ kind: 'protected_edited', file: 'x.test.js' }]);
  expect(read(root, 'x.test.js')).toBe('1\n');
  expect(read(root, '.npmrc')).toBe('registry=x\n');
});

test('refuses an edit in a repository within the user’s tree, for it can be neither judged nor taken back', async () => {
  const root = temporaryRepository({ 'a.js': '1\n' });
  write(root, { 'lib/test.js': '1\n' });
  git(join(root, 'lib'), 'init', '--quiet');
  const { snapshots, workspace } = await openInPlace(root);
  const guard = createGuard({ snapshots, workspace, protect: [], allow: [] });
  write(root, { 'a.js': '2\n', 'lib/made-by-a-check.txt': '1\n' });
  expect(await guard.restoreProtected()).toEqual([]);
  write(root, { 'lib/test.js': '2\n' });
  expect(await guard.restoreProtected()).toMatchObject([{ kind: 'dependency_changed', file: 'lib/test.js' }]);
  write(root, { 'lib/test.js': '1\n' });
  expect(await guard.restoreProtected()).toEqual([]);
});
