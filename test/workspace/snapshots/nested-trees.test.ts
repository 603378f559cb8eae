import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../src/workspace/repository.ts';
import { withNestedCommits } from '../../../src/workspace/snapshots/nested-commits.ts';
import { withNestedFiles } from '../../../src/workspace/snapshots/nested-trees.ts';
import { openSnapshots, type Snapshots } from '../../../src/workspace/snapshots/snapshots.ts';
import { git, LOOP, temporaryRepository, write } from '../temporary-repository.ts';

/** A repository with a submodule at `lib`, which has one at `lib/inner`. */
function withSubmodules(): string {
  const inner = temporaryRepository({ 'deep.js': '1\n' });
  const library = temporaryRepository({ 'index.js': '1\n', 'kept.log': '1\n', '.gitignore': '*.tmp\n' });
  add(library, inner, 'inner');
  const root = temporaryRepository({ 'a.js': '1\n', '.gitignore': '*.log\n' });
  add(root, library, 'lib');
  git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init', '--recursive');
  return root;
}

function add(root: string, source: string, path: string): void {
  git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, path);
  git(root, 'commit', '--quiet', '--message', 'submodule');
}

async function open(root: string): Promise<{ snapshots: Snapshots; filesOf(): Promise<string[]> }> {
  const repository = await openRepository(root);
  const snapshots = withNestedFiles(await openSnapshots(repository, LOOP), repository);
  return { snapshots, filesOf: async () => listed(snapshots, await snapshots.snapshot(root)) };
}

async function listed(snapshots: Snapshots, tree: string): Promise<string[]> {
  return (await snapshots.listFiles(tree)).map(({ path, mode }) => `${mode} ${path}`);
}

const FILES = [
  '100644 .gitignore',
  '100644 .gitmodules',
  '100644 a.js',
  '100644 lib/.gitignore',
  '100644 lib/.gitmodules',
  '100644 lib/index.js',
  '100644 lib/inner/deep.js',
  '100644 lib/kept.log',
];

describe('withNestedFiles', () => {
  test('has the files of submodules, by their own ignore rules, and sees each change', async () => {
    const root = withSubmodules();
    write(root, { 'lib/left.tmp': '1\n', 'lib/left.txt': '1\n' });
    const { snapshots, filesOf } = await open(root);
    expect(await filesOf()).toEqual([...FILES, '100644 lib/left.txt']);
    rmSync(join(root, 'lib/left.txt'));
    const before = await snapshots.snapshot(root);
    write(root, { 'lib/inner/deep.js': '2\n' });
    git(join(root, 'lib/inner'), '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qam', 'deep');
    const changes = await snapshots.entryChanges(before, await snapshots.snapshot(root));
    expect(changes.map(({ path }) => path.toString())).toEqual(['lib/inner/deep.js']);
  });

  test('has the files of repositories without commits, and of a folder whose .git is gone or new', async () => {
    const root = withSubmodules();
    const { filesOf } = await open(root);
    await filesOf();
    rmSync(join(root, 'lib/.git'));
    expect(await filesOf()).toEqual(FILES);
    write(root, { 'own/x.js': '1\n' });
    git(join(root, 'own'), 'init', '--quiet');
    expect(await filesOf()).toEqual([...FILES, '100644 own/x.js']);
  });

  test('leaves a submodule alone that was not fetched, and another work tree of the repository', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    git(root, 'worktree', 'add', '--quiet', '-b', 'other', 'other');
    const { filesOf } = await open(root);
    expect(await filesOf()).toEqual(['100644 a.js', '160000 other']);
  });
});

test('withNestedCommits has the files of the commits that a tree names, whatever lies in the folder', async () => {
  const root = withSubmodules();
  const { snapshots } = await open(root);
  const repository = await openRepository(root);
  const plain = await openSnapshots(repository, LOOP);
  const tree = await plain.snapshot(root);
  expect(await listed(plain, tree)).toContain('160000 lib');
  write(root, { 'lib/index.js': 'changed\n' });
  const whole = await withNestedCommits(repository, snapshots, tree);
  expect(await listed(snapshots, whole)).toEqual(FILES);
  expect(String(await snapshots.readFile(whole, 'lib/index.js'))).toBe('1\n');
  // The git directory of a submodule is in that of the repository.
  rmSync(join(root, 'lib'), { recursive: true });
  expect(await listed(snapshots, await withNestedCommits(repository, snapshots, tree))).toContain(
    '100644 lib/index.js',
  );
});
