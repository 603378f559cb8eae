import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { expect, test } from 'vitest';
import { pruneSnapshots } from '../../../src/workspace/snapshots/prune.ts';
import { LOOP, openWorkspace, temporaryRepository, write } from '../temporary-repository.ts';

const FILES = { 'a.js': '1\n' };
const KEEPS_NOTHING = () => false;
const BIG = 'x'.repeat(200_000);

function own(gitDir: string, ...args: string[]): string {
  return execaSync('git', [`--git-dir=${gitDir}`, ...args], { reject: false }).stdout.trim();
}

function hasTree(gitDir: string, tree: string): boolean {
  return own(gitDir, 'cat-file', '-t', tree) === 'tree' && own(gitDir, 'ls-tree', '-r', tree) !== '';
}

async function threeTrees() {
  const { workspace, snapshots } = await openWorkspace(temporaryRepository(FILES));
  write(workspace.root, { 'junk.txt': BIG });
  const junk = await snapshots.snapshot(workspace.root);
  write(workspace.root, { 'junk.txt': '', 'b.js': '2\n' });
  const last = await snapshots.snapshot(workspace.root);
  return { gitDir: snapshots.gitDir, base: workspace.base, junk, last, workspace, snapshots };
}

test('removes the trees that are not needed, with their objects, and says how many bytes that frees', async () => {
  const { gitDir, base, junk, last } = await threeTrees();
  const blob = own(gitDir, 'rev-parse', `${junk}:junk.txt`);
  const isNeeded = ({ tree }: { tree: string }): boolean => tree !== junk;
  const dry = await pruneSnapshots({ gitDir, isNeeded, dryRun: true });
  expect(own(gitDir, 'cat-file', '-s', blob)).toBe(String(BIG.length));
  expect(await pruneSnapshots({ gitDir, isNeeded })).toEqual(dry);
  expect(dry).toMatchObject({ trees: 1, loopIds: [LOOP] });
  expect(dry.bytes).toBeGreaterThan(100);
  expect(own(gitDir, 'cat-file', '-s', blob)).toBe('');
  expect([base, last].map((tree) => hasTree(gitDir, tree))).toEqual([true, true]);
  expect(await pruneSnapshots({ gitDir, isNeeded })).toEqual({ trees: 0, loopIds: [], bytes: 0 });
});

test('keeps the files of the indexes, so that the next snapshot is whole', async () => {
  const { gitDir, snapshots, workspace, last } = await threeTrees();
  await pruneSnapshots({ gitDir, isNeeded: KEEPS_NOTHING });
  expect(own(gitDir, 'for-each-ref')).toBe('');
  write(workspace.root, { 'c.js': '3\n' });
  const next = await snapshots.snapshot(workspace.root);
  expect(own(gitDir, 'ls-tree', '-r', '--name-only', next).split('\n')).toEqual([
    'a.js',
    'b.js',
    'c.js',
    'junk.txt',
  ]);
  expect(next).not.toBe(last);
});

test('removes a pack of which nothing is needed, and keeps one of which something is', async () => {
  const { gitDir, junk } = await threeTrees();
  const pack = (input: string): string =>
    execaSync('git', [`--git-dir=${gitDir}`, 'pack-objects', '-q', join(gitDir, 'objects/pack/pack')], {
      input,
    }).stdout;
  const unneeded = pack(own(gitDir, 'rev-parse', `${junk}:junk.txt`));
  const needed = pack(own(gitDir, 'rev-parse', `${junk}:a.js`));
  await pruneSnapshots({ gitDir, isNeeded: ({ tree }) => tree !== junk });
  const left = readdirSync(join(gitDir, 'objects/pack')).join(' ');
  expect([left.includes(needed), left.includes(unneeded)]).toEqual([true, false]);
});

test('removes nothing while a tree that is needed cannot be read', async () => {
  const { gitDir, junk } = await threeTrees();
  own(gitDir, 'update-ref', 'refs/other', own(gitDir, 'rev-parse', `${junk}:junk.txt`));
  execaSync('rm', ['-rf', join(gitDir, 'objects', own(gitDir, 'rev-parse', 'refs/other').slice(0, 2))]);
  expect(await pruneSnapshots({ gitDir, isNeeded: ({ tree }) => tree !== junk })).toMatchObject({ trees: 0 });
  expect(own(gitDir, 'for-each-ref', '--format=%(refname)')).toContain(junk);
});

test('tells which tree of a loop was pinned last', async () => {
  const { gitDir, last } = await threeTrees();
  const newest: string[] = [];
  await pruneSnapshots({
    gitDir,
    isNeeded: ({ tree }, isNewest) => (isNewest && newest.push(tree), true),
  });
  expect(newest).toEqual([last]);
});
