import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolderWorkspace } from '../../../bench/datasets/folder-workspace.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

it('restores every file of a checkpoint, and removes files that it does not have', async () => {
  const root = temporaryFolder();
  writeFiles(root, { 'a.js': 'one\n', 'in/b.js': 'two\n', 'node_modules/x/i.js': 'x' });
  const workspace = await createFolderWorkspace(root);
  writeFiles(root, { 'a.js': 'changed\n', 'c.js': 'new\n' });
  rmSync(join(root, 'in/b.js'));
  const changed = await workspace.checkpoint();
  await workspace.restore(workspace.base);
  expect(readFileSync(join(root, 'a.js'), 'utf8')).toBe('one\n');
  expect(readFileSync(join(root, 'in/b.js'), 'utf8')).toBe('two\n');
  expect(existsSync(join(root, 'c.js'))).toBe(false);
  await workspace.restore(changed);
  expect(readFileSync(join(root, 'c.js'), 'utf8')).toBe('new\n');
  expect(existsSync(join(root, 'node_modules/x/i.js'))).toBe(true);
});

it('reports changed files with line counts and a unified diff', async () => {
  const root = temporaryFolder();
  writeFiles(root, { 'a.js': 'one\ntwo\n', 'b.js': 'b\n' });
  const workspace = await createFolderWorkspace(root);
  writeFiles(root, { 'a.js': 'one\n2\nthree\n', 'c.js': '-- c\n' });
  rmSync(join(root, 'b.js'));
  const changes = await workspace.changes(workspace.base, await workspace.checkpoint());
  expect(changes.files).toEqual([
    { path: 'a.js', kind: 'modified', linesAdded: 2, linesDeleted: 1 },
    { path: 'b.js', kind: 'deleted', linesAdded: 0, linesDeleted: 1 },
    { path: 'c.js', kind: 'added', linesAdded: 1, linesDeleted: 0 },
  ]);
  expect(changes).toMatchObject({ linesAdded: 3, linesDeleted: 2 });
  expect(changes.patch).toMatch(
    /^--- a\/a\.js\n\+\+\+ b\/a\.js\n@@ -1,2 \+1,3 @@\n one\n-two\n\+2\n\+three\n/m,
  );
});

it('reports no changes between a checkpoint and itself', async () => {
  const workspace = await createFolderWorkspace(temporaryFolder());
  expect(await workspace.changes(workspace.base, await workspace.checkpoint())).toMatchObject({
    files: [],
    patch: '',
  });
  await expect(workspace.restore('none')).rejects.toThrow('no such checkpoint');
});
