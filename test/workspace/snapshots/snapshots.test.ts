import {
  chmodSync,
  mkdirSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { execaSync } from 'execa';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../src/workspace/repository.ts';
import { openSnapshots } from '../../../src/workspace/snapshots/snapshots.ts';
import { readUserIndex } from '../../../src/workspace/snapshots/user-index.ts';
import { git, LOOP, openWorkspace, temporaryRepository, write } from '../temporary-repository.ts';

const FILES = { 'src/a.js': '1\n', 'src/b.js': '2\n', '.gitignore': '*.log\n' };

function own(gitDir: string, ...args: string[]): string {
  return execaSync('git', [`--git-dir=${gitDir}`, ...args]).stdout.trim();
}

describe('isStill', () => {
  test('is true for an unchanged work tree, regardless of ignored files and node_modules', async () => {
    const { workspace, snapshots } = await openWorkspace(temporaryRepository(FILES));
    expect(await snapshots.isStill(workspace.root, workspace.base)).toBe(true);
    write(workspace.root, { 'debug.log': 'x', 'node_modules/.cache/x': 'y' });
    expect(await snapshots.isStill(workspace.root, workspace.base)).toBe(true);
  });

  test.each<[string, (root: string) => void]>([
    ['a change', (root) => write(root, { 'src/a.js': '3\n' })],
    ['a change of the same size and time', sneak],
    ['a deletion', (root) => unlinkSync(join(root, 'src/a.js'))],
    ['a new file', (root) => write(root, { 'src/c.js': '' })],
    ['a new empty folder', (root) => mkdirSync(join(root, 'empty'))],
    ['a new empty folder beside files', (root) => mkdirSync(join(root, 'src/empty'))],
    ['the executable bit', (root) => chmodSync(join(root, 'src/a.js'), 0o755)],
    ['a link in the place of a file', (root) => write(root, { 'src/a.js': { to: 'b.js' } })],
    ['a folder in the place of a file', (root) => write(root, { 'src/a.js/x': '1' })],
    ['a link in the place of a folder', moveBehindLink],
    [
      'a repository that was made in it',
      (root) => void execaSync('git', ['init', '-q', join(root, 'nested')]),
    ],
  ])('is false after %s', async (_, change) => {
    const { workspace, snapshots } = await openWorkspace(temporaryRepository(FILES));
    change(workspace.root);
    expect(await snapshots.isStill(workspace.root, workspace.base)).toBe(false);
    await workspace.restore(workspace.base);
    expect(await workspace.checkpoint()).toBe(workspace.base);
    expect(await snapshots.isStill(workspace.root, workspace.base)).toBe(true);
  });

  test('is false for a tree other than the last one', async () => {
    const { workspace, snapshots } = await openWorkspace(temporaryRepository(FILES));
    write(workspace.root, { 'src/a.js': '3\n' });
    const tree = await workspace.checkpoint();
    expect(await snapshots.isStill(workspace.root, workspace.base)).toBe(false);
    expect(await snapshots.isStill(workspace.root, tree)).toBe(true);
  });
});

/** Only the time of the change to the file's entry tells. */
function sneak(root: string): void {
  const path = join(root, 'src/a.js');
  const { atime, mtime } = statSync(path);
  writeFileSync(path, '4\n');
  utimesSync(path, atime, mtime);
}

/** Until the last change is long enough ago for the file system to tell it from the next one. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}

function moveBehindLink(root: string): void {
  execaSync('cp', ['-a', join(root, 'src'), join(root, '..', 'elsewhere')]);
  rmSync(join(root, 'src'), { recursive: true });
  symlinkSync('../elsewhere', join(root, 'src'));
}

describe('a snapshot', () => {
  test('is the same for an unchanged tree, and another for a changed one', async () => {
    const { workspace } = await openWorkspace(temporaryRepository(FILES));
    expect(await workspace.checkpoint()).toBe(workspace.base);
    write(workspace.root, { 'src/a.js': '3\n' });
    const changed = await workspace.checkpoint();
    expect(changed).not.toBe(workspace.base);
    expect(await workspace.checkpoint()).toBe(changed);
    write(workspace.root, { 'src/a.js': '1\n' });
    expect(await workspace.checkpoint()).toBe(workspace.base);
  });

  test.each<[string, (root: string) => void]>([
    ['a change of the same size and time', sneak],
    ['a new file', (root) => write(root, { 'src/c.js': '' })],
    ['a deletion', (root) => unlinkSync(join(root, 'src/b.js'))],
    ['the executable bit', (root) => chmodSync(join(root, 'src/a.js'), 0o755)],
  ])("of the user's tree that was still a while is another one after %s", async (_, change) => {
    const root = temporaryRepository(FILES);
    const snapshots = await openSnapshots(await openRepository(root), LOOP);
    await settle();
    const before = await snapshots.snapshot(root);
    write(root, { '.aiwg/ralph/loops/x/journal.jsonl': '{}\n' });
    expect(await snapshots.snapshot(root)).toBe(before);
    change(root);
    await settle();
    expect(await snapshots.snapshot(root)).not.toBe(before);
  });

  test('is stored under a ref of its loop', async () => {
    const { workspace, snapshots } = await openWorkspace(temporaryRepository(FILES));
    write(workspace.root, { 'src/a.js': '3\n' });
    const tree = await workspace.checkpoint();
    const refs = own(snapshots.gitDir, 'for-each-ref', '--format=%(refname) %(objectname)');
    const lines = [workspace.base, tree].map((id) => `refs/ralph/${LOOP}/${id} ${id}`);
    expect(refs.split('\n').sort()).toEqual(lines.sort());
    own(snapshots.gitDir, 'gc', '--quiet', '--prune=now');
    expect((await snapshots.readFile(tree, 'src/a.js'))?.toString()).toBe('3\n');
  });

  test('lists its files after the user added to and removed from the index', async () => {
    const root = temporaryRepository({ ...FILES, 'kept.txt': 'x' });
    const repository = await openRepository(root);
    const snapshots = await openSnapshots(repository, LOOP);
    const names = async (): Promise<string[]> =>
      (await snapshots.listFiles(await snapshots.snapshot(root))).map(({ path }) => path);
    const before = await names();
    write(root, { 'forced.log': 'x' });
    git(root, 'add', '--force', 'forced.log');
    expect(await names()).toEqual([...before, 'forced.log'].sort());
    git(root, 'rm', '--cached', '--quiet', 'forced.log');
    expect(await names()).toEqual(before);
    rmSync(join(root, 'kept.txt'));
    expect(await names()).toEqual(before.filter((name) => name !== 'kept.txt'));
  });

  test('includes a file again that the user tracks despite an ignore rule, when it exists again', async () => {
    const root = temporaryRepository(FILES);
    write(root, { 'forced.log': 'x' });
    git(root, 'add', '--force', 'forced.log');
    rmSync(join(root, 'forced.log'));
    const snapshots = await openSnapshots(await openRepository(root), LOOP);
    const without = await snapshots.snapshot(root);
    write(root, { 'forced.log': 'x' });
    const tree = await snapshots.snapshot(root);
    expect(tree).not.toBe(without);
    expect((await snapshots.listFiles(tree)).map(({ path }) => path)).toContain('forced.log');
  });
});

describe('readBlobs', () => {
  test('reads the same contents from loose and packed objects, and beside a damaged loose object', async () => {
    const { workspace, snapshots } = await openWorkspace(
      temporaryRepository({ 'a.bin': Buffer.of(0, 10, 255) }),
    );
    const [file] = await snapshots.listFiles(workspace.base);
    const loose = join(snapshots.gitDir, 'objects', file!.id.slice(0, 2), file!.id.slice(2));
    const read = async (): Promise<Buffer | undefined> =>
      (await snapshots.readBlobs([file!.id])).get(file!.id);
    expect(await read()).toEqual(Buffer.of(0, 10, 255));
    const damaged = deflateSync(Buffer.from('blob 3\0\0\0\0'));
    own(snapshots.gitDir, 'repack', '-a', '-d', '--quiet');
    expect(await read()).toEqual(Buffer.of(0, 10, 255));
    expect(existsSync(loose)).toBe(false);
    mkdirSync(dirname(loose), { recursive: true });
    writeFileSync(loose, damaged);
    expect(await read()).toEqual(Buffer.of(0, 10, 255));
  });

  test('leaves out ids without a blob', async () => {
    const { workspace, snapshots } = await openWorkspace(temporaryRepository(FILES));
    const blobs = await snapshots.readBlobs(['0'.repeat(40), workspace.base]);
    expect(blobs.size).toBe(0);
  });
});

describe('the difference of two trees', () => {
  test('contains every kind of change, and names that git would quote', async () => {
    const odd = 'we"ird\tnäme\n.txt';
    const { workspace, snapshots } = await openWorkspace(
      temporaryRepository({
        [odd]: 'a\nb\n',
        bin: Buffer.of(0, 1),
        plain: 'x\n',
        link: { to: 'plain' },
        gone: 'x\n',
      }),
    );
    const { root, base } = workspace;
    write(root, {
      [odd]: 'a\nc\nd\n',
      bin: Buffer.of(0, 2),
      plain: { program: 'x\n' },
      link: 'file\n',
      new: '',
    });
    rmSync(join(root, 'gone'));
    const tree = await workspace.checkpoint();
    const { files, linesAdded, linesDeleted, patch } = await workspace.changes(base, tree);
    expect(files).toEqual([
      { path: 'bin', kind: 'modified', linesAdded: 0, linesDeleted: 0 },
      { path: 'gone', kind: 'deleted', linesAdded: 0, linesDeleted: 1 },
      { path: 'link', kind: 'modified', linesAdded: 1, linesDeleted: 1 },
      { path: 'new', kind: 'added', linesAdded: 0, linesDeleted: 0 },
      { path: 'plain', kind: 'modified', linesAdded: 0, linesDeleted: 0 },
      { path: odd, kind: 'modified', linesAdded: 2, linesDeleted: 1 },
    ]);
    expect([linesAdded, linesDeleted]).toEqual([3, 3]);
    expect((await snapshots.entryChanges(base, tree)).map(({ path }) => path.toString())).toEqual(
      files.map(({ path }) => path),
    );
    await workspace.restore(base);
    execaSync('git', ['apply', '-'], { cwd: root, input: patch });
    expect(await workspace.checkpoint()).toBe(tree);
  });

  test('can be applied where a source is no UTF-8, and is text for all others', async () => {
    const latin = (value: number): Buffer =>
      Buffer.from(`// Gr\u00f6\u00dfe\nexport const a = ${value};\n`, 'latin1');
    const { workspace } = await openWorkspace(
      temporaryRepository({ 'a.js': 'a\n', 'latin.js': latin(1), 'z.js': 'z\n' }),
    );
    const { root, base } = workspace;
    write(root, { 'a.js': 'b\n', 'latin.js': latin(2), 'z.js': '\u00e4\n' });
    const tree = await workspace.checkpoint();
    const { patch } = await workspace.changes(base, tree);
    expect(patch.match(/^(?:\+[^+].*|GIT binary patch)$/gm)).toEqual(['+b', 'GIT binary patch', '+\u00e4']);
    await workspace.restore(base);
    execaSync('git', ['apply', '-'], { cwd: root, input: patch });
    expect(await workspace.checkpoint()).toBe(tree);
  });

  test('is empty for a tree and itself', async () => {
    const { workspace } = await openWorkspace(temporaryRepository(FILES));
    expect(await workspace.changes(workspace.base, workspace.base)).toEqual({
      ...{ files: [], linesAdded: 0, linesDeleted: 0, patch: '' },
    });
  });
});

describe('WorkTreeIndex', () => {
  test.each([
    ['cut', (content: Buffer) => content.subarray(0, content.length / 2)],
    ['zeroed', (content: Buffer) => Buffer.alloc(content.length)],
    ['empty', () => Buffer.of()],
  ])('is created again if it is %s', async (_, harm) => {
    const root = temporaryRepository(FILES);
    const { workspace, snapshots } = await openWorkspace(root);
    const indexes = readdirSync(snapshots.gitDir).filter((name) => /^index-[0-9a-f]+$/.test(name));
    expect(indexes.length).toBeGreaterThan(0);
    for (const name of indexes) {
      const path = join(snapshots.gitDir, name);
      writeFileSync(path, harm(readFileSync(path)));
    }
    const again = await openWorkspace(root);
    expect(again.workspace.base).toBe(workspace.base);
    expect(await again.workspace.checkpoint()).toBe(workspace.base);
  });
});

describe('readUserIndex', () => {
  test('reads the index again when it has changed, and for another repository', async () => {
    const [one, two] = [temporaryRepository(FILES), temporaryRepository({ 'other.js': '1\n' })];
    const [first, second] = [await openRepository(one), await openRepository(two)];
    expect([...(await readUserIndex(first)).paths]).toContain('src/a.js');
    expect([...(await readUserIndex(second)).paths]).toEqual(['other.js']);
    expect(await readUserIndex(second)).toBe(await readUserIndex(second));
    git(two, 'rm', '--cached', '--quiet', 'other.js');
    expect([...(await readUserIndex(second)).paths]).toEqual([]);
  });
});
