import { existsSync, mkdirSync, readdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { describe, expect, test } from 'vitest';
import { removeDeepFolders } from '../../../src/workspace/remove-deep-folders.ts';
import { findObstacles } from '../../../src/workspace/snapshots/obstacles.ts';
import { openRepository } from '../../../src/workspace/repository.ts';
import { openSnapshots } from '../../../src/workspace/snapshots/snapshots.ts';
import { temporaryRepository } from '../temporary-repository.ts';

const NEVER = new AbortController().signal;

function makePipe(path: string): void {
  execaSync('mkfifo', [path]);
}

/** A chain of folders far deeper than any path can name; built from the inside, because a path could not reach its end. */
function nest(root: string, depth: number): void {
  const [inner, outer] = [join(root, 'd'), join(root, 'outer')];
  mkdirSync(inner);
  for (let at = 1; at < depth; at++) {
    mkdirSync(outer);
    renameSync(inner, join(outer, 'd'));
    renameSync(outer, inner);
  }
}

describe('what git cannot get past', () => {
  test('is found: rule files that are pipes, files of more than 4 GiB, folders thousands deep', async () => {
    const root = temporaryRepository({ 'a.js': '', 'sub/b.js': '', 'node_modules/x/c.js': '' });
    makePipe(join(root, 'sub/.gitignore'));
    makePipe(join(root, 'sub/other'));
    makePipe(join(root, 'node_modules/x/.gitignore'));
    writeFileSync(join(root, 'huge'), '');
    truncateSync(join(root, 'huge'), 2 ** 40);
    nest(root, 600);
    const { endless, huge, deep } = await findObstacles(root, NEVER);
    expect({ endless, huge }).toEqual({ endless: ['sub/.gitignore'], huge: ['huge'] });
    expect(deep).toHaveLength(1);
  });

  test('is left out of a snapshot, or named', async () => {
    const root = temporaryRepository({ 'a.js': '' });
    writeFileSync(join(root, 'huge'), '');
    truncateSync(join(root, 'huge'), 2 ** 40);
    const repository = await openRepository(root);
    const snapshots = await openSnapshots(repository, 'ralph-test');
    const tree = await snapshots.snapshot(root);
    const files = (await snapshots.listFiles(tree)).map(({ path }) => path);
    expect(files).toContain('a.js');
    expect(files).not.toContain('huge');
    expect(snapshots.notCovered()).toEqual(['huge']);
    makePipe(join(root, '.gitignore'));
    await expect(snapshots.snapshot(root)).rejects.toThrow('.gitignore');
  });
});

test('folders of any depth are removed, and those of usual depth stay', () => {
  const root = temporaryRepository({ 'a/b/c.js': '' });
  nest(root, 1_200);
  removeDeepFolders(root);
  expect(existsSync(join(root, 'a/b/c.js'))).toBe(true);
  expect(() => readdirSync(join(root, ...Array<string>(600).fill('d')))).toThrow('ENOENT');
});
