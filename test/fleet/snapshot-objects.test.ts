import { mkdirSync } from 'node:fs';
import { execaSync } from 'execa';
import { expect, it } from 'vitest';
import { watchSnapshotObjects } from '../../src/fleet/store/snapshot-objects.ts';
import { ralphFolder } from '../../src/platform/ralph-folder.ts';
import { temporaryFolder } from '../support/repositories.ts';

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
