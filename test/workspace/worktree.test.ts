import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, test, vi } from 'vitest';
import { checksCacheDir } from '../../src/workspace/workspace-dir.ts';
import {
  fingerprint,
  git,
  openWorkspace,
  read,
  temporaryFolder,
  temporaryRepository,
  write,
  type Files,
} from './temporary-repository.ts';

const ODD: Files = {
  'line\nend.txt': 'newline in the name',
  '-rf': 'leading dash',
  'sm😀ile.txt': 'emoji',
  ' space ': 'spaces',
  'crlf.txt': 'a\r\nb\r\n',
  'empty.txt': '',
  'binary.bin': Buffer.from([0, 1, 2, 255, 254, 0, 13, 10]),
  'run.sh': { program: '#!/bin/sh\n' },
  'link.txt': { to: 'crlf.txt' },
  dangling: { to: 'nowhere/at/all' },
  'loop/self': { to: '.' },
  'utf16.txt': Buffer.from('hello', 'utf16le'),
  '.gitattributes': '* text=auto eol=crlf ident\n*.bin filter=lfs\nutf16.txt working-tree-encoding=UTF-16\n',
  'ident.txt': '$Id$\n',
};

describe('the workspace', () => {
  test('stores some of its files on top of a tree, and nothing else that checks wrote', async () => {
    const { workspace } = await openWorkspace(temporaryRepository({ 'a.js': '1\n' }));
    const { base, root } = workspace;
    write(root, { 'a.js': '2\n', 'test/x.test.js': '1\n', 'written-by-a-check.txt': '1\n' });
    const tree = await workspace.checkpointFiles(base, ['test/x.test.js']);
    const { files } = await workspace.changes(base, tree);
    expect(files).toMatchObject([{ path: 'test/x.test.js', kind: 'added' }]);
    await workspace.restore(tree);
    expect(existsSync(join(root, 'written-by-a-check.txt'))).toBe(false);
    expect(read(root, 'a.js')).toBe('1\n');
  });

  test('is a copy of the tree with the same bytes and modes, including uncommitted and untracked files', async () => {
    const root = temporaryRepository({ 'a.js': '1\n', 'gone.js': '1\n' });
    write(root, { ...ODD, 'a.js': 'changed\n', 'untracked/b.js': '2\n' });
    rmSync(join(root, 'gone.js'));
    const { workspace } = await openWorkspace(root);
    expect(fingerprint(workspace.root, ['.git'])).toEqual(fingerprint(root, ['.git', '.aiwg']));
  });

  test('does not depend on the user’s git settings', async () => {
    const root = temporaryRepository({ 'a.js': '1\n', 'link.js': { to: 'a.js' } });
    const settings = join(temporaryFolder(), 'gitconfig');
    writeFileSync(settings, '[core]\nsymlinks = false\nautocrlf = true\nfileMode = false\n');
    vi.stubEnv('GIT_CONFIG_GLOBAL', settings);
    const { workspace } = await openWorkspace(root);
    vi.unstubAllEnvs();
    expect(fingerprint(workspace.root, ['.git'])).toEqual(fingerprint(root, ['.git', '.aiwg']));
  });

  test('leaves the user’s files, index, refs and HEAD byte-identical', async () => {
    const root = temporaryRepository({ 'a.js': '1\n', 'b.js': '1\n', '.gitignore': 'out\n' });
    write(root, { 'a.js': '2\n', 'staged.js': '1\n' });
    git(root, 'add', 'staged.js');
    write(root, { 'b.js': 'unstaged\n' });
    const before = fingerprint(root);
    const { workspace } = await openWorkspace(root);
    write(workspace.root, { 'a.js': 'actor\n', 'new.js': 'actor\n' });
    const tree = await workspace.checkpoint();
    await workspace.restore(workspace.base);
    await workspace.changes(workspace.base, tree);
    await workspace.close();
    expect(fingerprint(root)).toEqual(before);
  });

  test('restores every file, mode and link, and removes what the checkpoint does not have', async () => {
    const root = temporaryRepository({ 'src/a.js': '1\n', '.gitignore': 'ignored/\n' });
    write(root, ODD);
    const { workspace } = await openWorkspace(root);
    const before = fingerprint(workspace.root, ['.git']);
    rmSync(join(workspace.root, 'line\nend.txt'));
    chmodSync(join(workspace.root, 'run.sh'), 0o644);
    chmodSync(join(workspace.root, 'src/a.js'), 0o755);
    write(workspace.root, {
      'link.txt': 'no link any more',
      'crlf.txt/in/the/way': 'a folder in the place of a file',
      'build/out.js': 'product',
      '-rf': 'changed',
      'ignored/kept.js': 'product',
    });
    mkdirSync(join(workspace.root, 'left/empty'), { recursive: true });
    await workspace.restore(workspace.base);
    const { 'ignored/kept.js': kept, ...after } = fingerprint(workspace.root, ['.git']);
    expect(after).toEqual(before);
    expect(kept).toBeDefined();
    expect(existsSync(join(workspace.root, 'left'))).toBe(false);
  });

  test('restores later checkpoints as well as earlier ones', async () => {
    const { workspace } = await openWorkspace(temporaryRepository({ 'a.js': '1\n', 'b.js': '1\n' }));
    write(workspace.root, { 'a.js': '2\n', 'c/d.js': 'new\n' });
    rmSync(join(workspace.root, 'b.js'));
    const tree = await workspace.checkpoint();
    const after = fingerprint(workspace.root, ['.git']);
    await workspace.restore(workspace.base);
    await workspace.restore(tree);
    expect(fingerprint(workspace.root, ['.git'])).toEqual(after);
  });

  test('notices an edit that keeps size and modification time', async () => {
    const { workspace } = await openWorkspace(temporaryRepository({ 'a.js': 'aaaa\n' }));
    const path = join(workspace.root, 'a.js');
    const times = statSync(path);
    writeFileSync(path, 'bbbb\n');
    execaSync('touch', ['-d', times.mtime.toISOString(), path]);
    expect(await workspace.checkpoint()).not.toBe(workspace.base);
    await workspace.restore(workspace.base);
    expect(read(workspace.root, 'a.js')).toBe('aaaa\n');
  });

  test('restores a folder that was replaced by a link, and nothing behind the link', async () => {
    const root = temporaryRepository({ 'src/a.js': '1\n', 'src/b.js': '1\n' });
    const { workspace } = await openWorkspace(root);
    const elsewhere = join(temporaryFolder(), 'elsewhere');
    cpSync(join(workspace.root, 'src'), elsewhere, { recursive: true, preserveTimestamps: true });
    write(elsewhere, { 'b.js': 'of somebody else\n', 'c.js': 'of somebody else\n' });
    rmSync(join(workspace.root, 'src'), { recursive: true });
    symlinkSync(elsewhere, join(workspace.root, 'src'));
    await workspace.restore(workspace.base);
    expect(lstatSync(join(workspace.root, 'src')).isDirectory()).toBe(true);
    expect(read(workspace.root, 'src/b.js')).toBe('1\n');
    expect(fingerprint(elsewhere)).toMatchObject({ 'c.js': expect.any(String) });
    expect(read(elsewhere, 'b.js')).toBe('of somebody else\n');
  });

  test('includes the files of a repository that the actor created in it', async () => {
    const { workspace } = await openWorkspace(temporaryRepository({ 'a.js': '1\n' }));
    write(workspace.root, { 'lib/x.js': 'new\n', 'other/y.js': 'new\n' });
    git(join(workspace.root, 'lib'), 'init', '--quiet');
    git(join(workspace.root, 'lib'), 'add', '.');
    git(join(workspace.root, 'lib'), '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'x');
    git(join(workspace.root, 'other'), 'init', '--quiet');
    git(workspace.root, 'init', '--quiet');
    const tree = await workspace.checkpoint();
    const { files } = await workspace.changes(workspace.base, tree);
    expect(files.map(({ path }) => path)).toEqual(['lib/x.js', 'other/y.js']);
    await workspace.restore(workspace.base);
    expect(Object.keys(fingerprint(workspace.root, ['.git']))).toEqual(['a.js']);
  });

  test('removes files that a tree’s own new ignore rules hide', async () => {
    const { workspace } = await openWorkspace(temporaryRepository({ 'a.js': '1\n' }));
    write(workspace.root, { '.gitignore': 'secret.js\n', 'secret.js': 'needed by a.js\n' });
    const tree = await workspace.checkpoint();
    await workspace.restore(tree);
    expect(existsSync(join(workspace.root, 'secret.js'))).toBe(false);
    expect(read(workspace.root, '.gitignore')).toBe('secret.js\n');
  });

  test.skipIf(process.getuid?.() === 0)('restores folders that were made read-only', async () => {
    const { workspace } = await openWorkspace(temporaryRepository({ 'src/a.js': '1\n' }));
    write(workspace.root, { 'src/a.js': '2\n', 'locked/b.js': '1\n' });
    chmodSync(join(workspace.root, 'src'), 0o500);
    chmodSync(join(workspace.root, 'locked'), 0o500);
    await workspace.restore(workspace.base);
    expect(read(workspace.root, 'src/a.js')).toBe('1\n');
    expect(existsSync(join(workspace.root, 'locked'))).toBe(false);
  });

  test('includes ignored files only if the user tracks them', async () => {
    const root = temporaryRepository({ '.gitignore': '*.gen.js\n', 'a.js': '1\n' });
    write(root, { 'kept.gen.js': 'forced\n', 'dropped.gen.js': 'ignored\n' });
    git(root, 'add', '--force', 'kept.gen.js');
    const first = await openWorkspace(root);
    expect(Object.keys(fingerprint(first.workspace.root, ['.git']))).toEqual([
      '.gitignore',
      'a.js',
      'kept.gen.js',
    ]);
    git(root, 'rm', '--quiet', '--cached', 'kept.gen.js');
    const second = await openWorkspace(root, first);
    expect(Object.keys(fingerprint(second.workspace.root, ['.git']))).toEqual(['.gitignore', 'a.js']);
  });

  test('applies the user’s global ignore file and info/exclude', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    const excludes = join(temporaryFolder(), 'ignore');
    writeFileSync(excludes, '*.swp\n');
    git(root, 'config', 'core.excludesFile', excludes);
    writeFileSync(join(root, '.git/info/exclude'), 'private.md\n');
    write(root, { 'a.swp': 'x', 'private.md': 'x' });
    const { workspace } = await openWorkspace(root);
    expect(Object.keys(fingerprint(workspace.root, ['.git']))).toEqual(['a.js']);
  });

  test('leaves out dependencies and ralph’s state even if a .gitignore includes them again', async () => {
    const root = temporaryRepository({ '.gitignore': '*\n!*/\n!*.js\n!*.json\n', 'a.js': '1\n' });
    write(root, { 'node_modules/x/index.js': '1\n', '.aiwg/ralph/loops/x/state.json': '{}' });
    const { workspace, snapshots } = await openWorkspace(root);
    const files = await snapshots.listFiles(workspace.base);
    expect(files.map(({ path }) => path)).toEqual(['a.js']);
    expect(await workspace.checkpoint()).toBe(workspace.base);
  });

  test('copies files of nested repositories, and lists those it does not contain', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    for (const [name, commits] of [
      ['empty', false],
      ['nested', true],
    ] as const) {
      write(root, { [`${name}/x.js`]: '1\n' });
      git(join(root, name), 'init', '--quiet');
      if (!commits) continue;
      git(join(root, name), 'add', '.');
      git(join(root, name), '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'x');
    }
    const { workspace } = await openWorkspace(root);
    expect(workspace.notCovered).toEqual(['empty']);
    expect(Object.keys(fingerprint(workspace.root, ['.git']))).toEqual(['a.js', 'nested/x.js']);
    expect(await workspace.checkpoint()).toBe(workspace.base);
  });
});

describe('the workspace folder', () => {
  test('is the same in every loop, private, and without a folder that begins with a dot', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    const first = await openWorkspace(root);
    const second = await openWorkspace(root, first);
    expect(second.workspace.root).toBe(first.workspace.root);
    expect(statSync(first.workspace.root).mode & 0o777).toBe(0o700);
    const below = first.workspace.root.slice(first.workspaceDir.length);
    expect(below).toMatch(/^\/ralph-\d+\/project-[0-9a-f]{8}\/tree$/);
    expect(checksCacheDir(first.repository, first.workspaceDir)).toBe(
      join(first.workspace.root, '..', 'cache'),
    );
  });

  test('is reset when the next loop opens it', async () => {
    const root = temporaryRepository({ 'a.js': '1\n', '.gitignore': 'dist/\n' });
    write(root, { 'node_modules/dep/index.js': '1\n' });
    const first = await openWorkspace(root);
    write(first.workspace.root, {
      'a.js': 'left over\n',
      'dist/forged.tsbuildinfo': '{}',
      'node_modules/planted/index.js': '1\n',
      'node_modules/.vite/results.json': '{}',
      'left/over.js': '1\n',
    });
    const { workspace } = await openWorkspace(root, first);
    expect(Object.keys(fingerprint(workspace.root, ['.git'])).sort()).toEqual([
      '.gitignore',
      'a.js',
      'node_modules/dep',
    ]);
  });

  test('is refused in the repository itself', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    const opening = openWorkspace(root, { workspaceDir: join(root, 'tmp') });
    await expect(opening).rejects.toMatchObject({ code: 'workspace_unwritable', exitCode: 4 });
  });

  test('is refused if it is a link', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    const workspaceDir = temporaryFolder();
    symlinkSync(temporaryFolder(), join(workspaceDir, `ralph-${process.getuid?.()}`));
    await expect(openWorkspace(root, { workspaceDir })).rejects.toMatchObject({
      code: 'workspace_unwritable',
    });
  });
});

describe('after kill -9', () => {
  test('stale locks of ralph’s git directory are removed, the user’s lock stays', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    const first = await openWorkspace(root);
    const { gitDir } = first.snapshots;
    const index = execaSync('ls', [gitDir]).stdout.match(/^index-.*$/m)![0];
    writeFileSync(join(gitDir, `${index}.lock`), '');
    const ref = git(gitDir, 'for-each-ref', '--format=%(refname)').trim().split('\n')[0]!;
    writeFileSync(join(gitDir, `${ref}.lock`), '');
    writeFileSync(join(root, '.git/index.lock'), '');
    write(root, { 'a.js': '2\n' });
    const { workspace } = await openWorkspace(root, first);
    write(workspace.root, { 'a.js': '3\n' });
    expect(await workspace.checkpoint()).not.toBe(workspace.base);
    expect(existsSync(join(root, '.git/index.lock'))).toBe(true);
  });

  test('a damaged index of ralph is created again', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    const { workspace, snapshots } = await openWorkspace(root);
    write(workspace.root, { 'a.js': '2\n', 'b.js': '1\n' });
    for (const name of execaSync('ls', [snapshots.gitDir]).stdout.split('\n')) {
      if (name.startsWith('index-')) writeFileSync(join(snapshots.gitDir, name), 'spoiled');
    }
    await workspace.restore(workspace.base);
    expect(fingerprint(workspace.root, ['.git'])).toEqual(fingerprint(root, ['.git', '.aiwg']));
  });

  test('checkpoints have refs, so that gc keeps them', async () => {
    const { workspace, snapshots } = await openWorkspace(temporaryRepository({ 'a.js': '1\n' }));
    write(workspace.root, { 'a.js': '2\n' });
    const tree = await workspace.checkpoint();
    git(snapshots.gitDir, 'gc', '--quiet', '--prune=now');
    expect((await snapshots.readFile(tree, 'a.js'))?.toString()).toBe('2\n');
  });
});

describe('changes', () => {
  test('list files with line counts, and contain a patch that git applies', async () => {
    const root = temporaryRepository({ 'a.js': '1\n2\n', 'b.bin': Buffer.from([0, 1]), 'gone.js': '1\n' });
    const { workspace } = await openWorkspace(root);
    write(workspace.root, { 'a.js': '1\n3\n', 'b.bin': Buffer.from([0, 2]), 'tab\tnew.js': 'x\n' });
    rmSync(join(workspace.root, 'gone.js'));
    const changes = await workspace.changes(workspace.base, await workspace.checkpoint());
    expect(changes).toMatchObject({
      linesAdded: 2,
      linesDeleted: 2,
      files: [
        { path: 'a.js', kind: 'modified', linesAdded: 1, linesDeleted: 1 },
        { path: 'b.bin', kind: 'modified', linesAdded: 0, linesDeleted: 0 },
        { path: 'gone.js', kind: 'deleted', linesAdded: 0, linesDeleted: 1 },
        { path: 'tab\tnew.js', kind: 'added', linesAdded: 1, linesDeleted: 0 },
      ],
    });
    const patch = join(temporaryFolder(), 'x.patch');
    writeFileSync(patch, changes.patch);
    git(root, 'apply', patch);
    expect(fingerprint(root, ['.git', '.aiwg'])).toEqual(fingerprint(workspace.root, ['.git']));
  });

  test('run no program that the tree or the user’s configuration names', async () => {
    const root = temporaryRepository({ 'a.js': '1\n', '.gitattributes': '*.js diff=evil filter=evil\n' });
    const proof = join(temporaryFolder(), 'ran');
    for (const key of ['diff.evil.textconv', 'diff.evil.command', 'filter.evil.clean', 'diff.external']) {
      git(root, 'config', key, `touch ${proof} && cat`);
    }
    const { workspace } = await openWorkspace(root);
    git(workspace.root, 'init', '--quiet');
    cpSync(join(root, '.git/config'), join(workspace.root, '.git/config'));
    write(workspace.root, { 'a.js': '2\n' });
    const { patch } = await workspace.changes(workspace.base, await workspace.checkpoint());
    expect(patch).toContain('+2');
    expect(existsSync(proof)).toBe(false);
  });
});

test('leaves out an unreadable file and lists it', { skip: process.getuid?.() === 0 }, async () => {
  const root = temporaryRepository({ 'a.js': '1\n' });
  write(root, { 'locked.js': '1\n' });
  chmodSync(join(root, 'locked.js'), 0);
  const { workspace } = await openWorkspace(root);
  expect(workspace.notCovered).toEqual(['locked.js']);
  expect(readFileSync(join(workspace.root, 'a.js'), 'utf8')).toBe('1\n');
});
