import { mkdirSync } from 'node:fs';
import { execaSync } from 'execa';
import { expect, it } from 'vitest';
import { addPacks, watchSnapshotObjects } from '../../src/fleet/store/snapshot-objects.ts';
import { ralphFolder } from '../../src/platform/ralph-folder.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';

const IDENTITY = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org'];

it('gives objects again until they are in the database', async () => {
  const root = temporaryFolder();
  const gitDir = ralphFolder(root).snapshots();
  mkdirSync(gitDir, { recursive: true });
  execaSync('git', ['init', '--quiet', '--bare', gitDir]);
  const objects = watchSnapshotObjects(root);
  expect((await objects.newPacks()).packs).toEqual([]);
  execaSync('git', [`--git-dir=${gitDir}`, 'hash-object', '-w', '--stdin'], { input: 'text' });
  const lost = await objects.newPacks();
  const again = await objects.newPacks();
  expect(lost.packs).toHaveLength(1);
  expect(again.packs).toEqual(lost.packs);
  again.stored();
  expect((await objects.newPacks()).packs).toEqual([]);
});

it.each([
  ['by a ref of its own', false],
  ['by a packed ref', true],
])(
  'gives what the repository has of another branch, since another machine may not have it: %s',
  async (_, isPacked) => {
    const root = temporaryFolder();
    const git = (...args: readonly string[]): string =>
      execaSync('git', [...IDENTITY, ...args], { cwd: root }).stdout;
    git('init', '--quiet');
    writeFiles(root, { 'a.js': '1\n' });
    git('add', '.');
    git('commit', '--quiet', '--message', 'base');
    writeFiles(root, { 'a.js': '2\n' });
    git('commit', '--quiet', '--all', '--message', 'another branch');
    const tree = git('rev-parse', 'HEAD^{tree}');
    git('reset', '--quiet', '--hard', 'HEAD~');
    const gitDir = ralphFolder(root).snapshots();
    mkdirSync(gitDir, { recursive: true });
    execaSync('git', ['init', '--quiet', '--bare', gitDir]);
    const objects = watchSnapshotObjects(root);
    execaSync('git', [`--git-dir=${gitDir}`, 'update-ref', `refs/ralph/loop/${tree}`, tree]);
    if (isPacked) execaSync('git', [`--git-dir=${gitDir}`, 'pack-refs', '--all']);
    const { packs, stored } = await objects.newPacks();
    const other = temporaryFolder();
    await addPacks(other, packs);
    const read = execaSync('git', [`--git-dir=${ralphFolder(other).snapshots()}`, 'show', `${tree}:a.js`]);
    expect(read.stdout).toBe('2');
    stored();
    expect((await objects.newPacks()).packs).toEqual([]);
  },
);
