import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openRepository } from '../../src/workspace/repository.ts';
import { git, temporaryFolder, temporaryRepository, write } from './temporary-repository.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

function conflictedRepository(): string {
  const root = temporaryRepository({ 'a.js': '1\n' });
  git(root, 'switch', '--quiet', '--create', 'other');
  write(root, { 'a.js': '2\n' });
  git(root, 'commit', '--quiet', '--all', '--message', 'two');
  git(root, 'switch', '--quiet', 'main');
  write(root, { 'a.js': '3\n' });
  git(root, 'commit', '--quiet', '--all', '--message', 'three');
  return root;
}

function attempt(root: string, ...args: string[]): void {
  try {
    git(root, ...args);
  } catch {
    // It stops at the conflict, as it should.
  }
}

describe('openRepository', () => {
  test('finds root, commit and branch from a subfolder', async () => {
    const root = temporaryRepository({ 'packages/a/index.js': '1\n' });
    const repository = await openRepository(join(root, 'packages/a'));
    expect(repository).toEqual({
      root,
      packageStart: join(root, 'packages/a'),
      gitDir: join(root, '.git'),
      commonDir: join(root, '.git'),
      head: git(root, 'rev-parse', 'HEAD').trim(),
      branch: 'main',
    });
  });

  test('resolves a symbolic link to the repository', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    const link = join(temporaryFolder(), 'link');
    symlinkSync(root, link);
    expect((await openRepository(link)).root).toBe(root);
  });

  test('has no branch for a detached HEAD, and opens a linked worktree', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    const linked = join(temporaryFolder(), 'linked');
    git(root, 'worktree', 'add', '--quiet', '--detach', linked);
    expect(await openRepository(linked)).toMatchObject({
      root: linked,
      branch: null,
      gitDir: join(root, '.git/worktrees/linked'),
      commonDir: join(root, '.git'),
    });
  });

  test('opens a repository with a newline in its folder’s name', async () => {
    const root = join(temporaryFolder(), 'two\nlines');
    mkdirSync(root);
    git(root, 'init', '--quiet', '--initial-branch=main');
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
    git(root, ...author, 'commit', '--quiet', '--allow-empty', '--message', 'start');
    expect(await openRepository(root)).toMatchObject({ root, branch: 'main', gitDir: join(root, '.git') });
  });

  test('ignores the environment variables of a git hook', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    const other = temporaryRepository({ 'b.js': '1\n' });
    vi.stubEnv('GIT_DIR', join(other, '.git'));
    vi.stubEnv('GIT_INDEX_FILE', join(other, '.git/index'));
    const repository = await openRepository(root);
    vi.unstubAllEnvs();
    expect(repository).toMatchObject({ root, head: git(root, 'rev-parse', 'HEAD').trim() });
  });

  test('explains how to create a repository if there is none', async () => {
    await expect(openRepository(temporaryFolder())).rejects.toMatchObject({
      code: 'no_repository',
      exitCode: 4,
      hint: 'git init && git add -A && git commit -m "start"',
    });
  });

  test('explains how to create the first commit', async () => {
    const root = temporaryFolder();
    git(root, 'init', '--quiet');
    await expect(openRepository(root)).rejects.toMatchObject({
      code: 'no_commits',
      exitCode: 4,
      hint: 'git add -A && git commit -m "start"',
    });
  });

  test('refuses a bare repository, and the inside of a .git folder', async () => {
    const root = temporaryFolder();
    git(root, 'init', '--quiet', '--bare');
    await expect(openRepository(root)).rejects.toThrow('bare');
    const inside = join(temporaryRepository({ 'a.js': '1\n' }), '.git/refs');
    await expect(openRepository(inside)).rejects.toThrow('inside a .git folder');
  });

  test.each([
    ['a merge', ['merge', 'other'], 'git merge --abort'],
    ['a rebase', ['rebase', 'other'], 'git rebase --abort'],
    ['a cherry-pick', ['cherry-pick', 'other'], 'git cherry-pick --abort'],
    ['a revert', ['revert', '--no-commit', 'HEAD'], 'git revert --abort'],
    ['a bisect', ['bisect', 'start'], 'git bisect reset'],
  ])('refuses a tree in which %s is in progress, and explains how to end it', async (what, args, remedy) => {
    const root = conflictedRepository();
    attempt(root, ...args);
    const refusal = await openRepository(root).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'repository_unusable', exitCode: 4 });
    expect(String(refusal)).toContain(what);
    expect((refusal as { hint: string }).hint).toContain(remedy);
  });

  test('lets a hook look at the commit that concludes a merge, once its conflicts are resolved', async () => {
    const root = conflictedRepository();
    attempt(root, 'merge', 'other');
    await expect(openRepository(root, { isConcluded: true })).rejects.toThrow('unresolved conflicts');
    git(root, 'add', '-A');
    expect(await openRepository(root, { isConcluded: true })).toMatchObject({ root });
    await expect(openRepository(root)).rejects.toThrow('a merge is in progress');
  });

  test('refuses unresolved conflicts without a merge', async () => {
    const root = conflictedRepository();
    attempt(root, 'merge', 'other');
    rmSync(join(root, '.git/MERGE_HEAD'));
    await expect(openRepository(root)).rejects.toThrow('unresolved conflicts');
  });

  test('refuses a HEAD whose commit is damaged', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    const head = git(root, 'rev-parse', 'HEAD').trim();
    rmSync(join(root, '.git/objects', head.slice(0, 2), head.slice(2)));
    await expect(openRepository(root)).rejects.toMatchObject({
      code: 'repository_unusable',
      hint: 'git fsck',
    });
  });

  test.each([
    ['nonsense', 'nonsense'],
    ['nothing', ''],
  ])('refuses an index that contains %s, and explains how to create it again', async (_, content) => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    writeFileSync(join(root, '.git/index'), content);
    const refusal = openRepository(root);
    await expect(refusal).rejects.toMatchObject({
      ...{ code: 'repository_unusable', exitCode: 4 },
      hint: expect.stringContaining('git reset') as string,
    });
    await expect(refusal).rejects.toThrow('index');
  });

  test('refuses a repository in which it cannot write its state', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    writeFileSync(join(root, '.aiwg'), 'a file');
    await expect(openRepository(root)).rejects.toMatchObject({ exitCode: 4 });
  });

  test('reports that git is missing', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    vi.stubEnv('PATH', temporaryFolder());
    await expect(openRepository(root)).rejects.toMatchObject({ code: 'repository_unusable', exitCode: 4 });
  });

  test('opens a shallow clone', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    const clone = join(temporaryFolder(), 'clone');
    mkdirSync(clone);
    execaSync('git', ['clone', '--quiet', '--depth=1', `file://${root}`, clone]);
    expect((await openRepository(clone)).branch).toBe('main');
  });
});
