import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../src/workspace/repository.ts';
import { openSnapshots, type Snapshots } from '../../../src/workspace/snapshots/snapshots.ts';
import { git, LOOP, temporaryRepository, write } from '../temporary-repository.ts';

/** Contents that differ, in more files than git's index describes in 20,000 bytes. */
const MANY = Object.fromEntries(
  Array.from({ length: 400 }, (_, at) => [`src/m${at % 10}/f${at}.js`, `export const v = ${at};\n`]),
);

async function snapshot(root: string): Promise<{ snapshots: Snapshots; tree: string }> {
  const repository = await openRepository(root);
  const snapshots = await openSnapshots(repository, LOOP);
  return { snapshots, tree: await snapshots.snapshot(repository.root) };
}

function looseObjects({ gitDir }: Snapshots): number {
  const folders = readdirSync(join(gitDir, 'objects')).filter((name) => name.length === 2);
  return folders.reduce((sum, name) => sum + readdirSync(join(gitDir, 'objects', name)).length, 0);
}

function packs({ gitDir }: Snapshots): readonly string[] {
  const folder = join(gitDir, 'objects', 'pack');
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder).filter((name) => name.endsWith('.pack'));
}

describe('copyCommittedObjects', () => {
  test('copies the committed objects as one pack; a snapshot adds what differs, and needs nothing of the user', async () => {
    const root = temporaryRepository(MANY);
    write(root, { 'src/m0/f0.js': 'changed\n', 'src/new.js': 'new\n' });
    const { snapshots, tree } = await snapshot(root);
    expect(packs(snapshots)).toHaveLength(1);
    // Two files, their folders, and the root.
    expect(looseObjects(snapshots)).toBe(5);
    rmSync(join(root, '.git', 'objects'), { recursive: true });
    const read = async (path: string): Promise<string> => String(await snapshots.readFile(tree, path));
    expect(await read('src/m0/f0.js')).toBe('changed\n');
    expect(await read('src/m9/f399.js')).toBe(MANY['src/m9/f399.js']);
    expect((await snapshots.listFiles(tree)).length).toBe(401);
  });

  test('copies nothing in a repository of few files', async () => {
    const { snapshots } = await snapshot(temporaryRepository({ 'a.js': '1\n' }));
    expect(packs(snapshots)).toEqual([]);
    expect(looseObjects(snapshots)).toBeGreaterThan(0);
  });

  test('does without what a partial clone lacks', async () => {
    const origin = temporaryRepository(MANY);
    git(origin, 'config', 'uploadpack.allowFilter', 'true');
    const clone = temporaryRepository({ 'a.js': '1\n' });
    rmSync(clone, { recursive: true });
    execaSync('git', ['clone', '-q', '--filter=blob:none', `file://${origin}`, clone]);
    // The history has objects that the clone does not have; now none of them can be fetched.
    write(origin, { 'src/m1/f1.js': 'newer\n' });
    git(origin, 'commit', '-qam', 'newer');
    git(clone, 'fetch', '-q');
    git(clone, 'update-ref', 'HEAD', 'origin/HEAD');
    rmSync(origin, { recursive: true });
    const { snapshots, tree } = await snapshot(clone);
    expect(String(await snapshots.readFile(tree, 'src/m1/f1.js'))).toBe(MANY['src/m1/f1.js']);
  });

  test('copies no object of a repository with other ids', async () => {
    const root = temporaryRepository(MANY);
    rmSync(join(root, '.git'), { recursive: true });
    execaSync('git', ['init', '-q', '--object-format=sha256', root]);
    git(root, 'add', '-A');
    git(root, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'all');
    const { snapshots, tree } = await snapshot(root);
    expect(packs(snapshots)).toEqual([]);
    expect(String(await snapshots.readFile(tree, 'src/m1/f1.js'))).toBe(MANY['src/m1/f1.js']);
  });

  test('does without objects that cannot be read', async () => {
    const root = temporaryRepository(MANY);
    const blob = git(root, 'rev-parse', 'HEAD:src/m3/f3.js').trim();
    rmSync(join(root, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    const { snapshots, tree } = await snapshot(root);
    expect(packs(snapshots)).toHaveLength(1);
    expect(String(await snapshots.readFile(tree, 'src/m3/f3.js'))).toBe(MANY['src/m3/f3.js']);
  });
});
