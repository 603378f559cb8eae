import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openRepository } from '../../src/workspace/repository.ts';
import { openPristineCheckout } from '../../src/workspace/pristine.ts';
import { openSnapshots } from '../../src/workspace/snapshots/snapshots.ts';
import { LOOP, git, temporaryFolder, temporaryRepository, write } from './temporary-repository.ts';

async function checkoutOf(root: string) {
  const repository = await openRepository(root);
  const snapshots = await openSnapshots(repository, LOOP);
  const tree = await snapshots.snapshot(root);
  const options = { repository, snapshots, carry: ['.env'], workspaceDir: temporaryFolder() };
  return openPristineCheckout(options, tree);
}

test('a checkout has the tree, the history and carried files, and no other ignored file', async () => {
  const root = temporaryRepository({ 'a.js': '1\n', '.gitignore': 'dist\n.env\n' });
  write(root, { 'a.js': '2\n', 'new.js': '3\n', 'dist/a.js': '4\n', '.env': 'X=1\n' });
  const checkout = await checkoutOf(root);
  const read = (path: string): string => readFileSync(join(checkout.root, path), 'utf8');
  expect([read('a.js'), read('new.js'), read('.env')]).toEqual(['2\n', '3\n', 'X=1\n']);
  expect(existsSync(join(checkout.root, 'dist'))).toBe(false);
  expect(basename(checkout.root)).toBe(basename(root));
  expect(statSync(dirname(checkout.root)).mode & 0o777).toBe(0o700);
  expect(git(checkout.root, 'rev-parse', 'HEAD')).toBe(git(root, 'rev-parse', 'HEAD'));
  expect(git(checkout.root, 'status', '--porcelain')).toBe(
    git(root, 'status', '--porcelain', '--', ':!.aiwg'),
  );
  await checkout.close();
  expect(existsSync(dirname(checkout.root))).toBe(false);
});

test.each([
  ['a branch whose name has a slash', ['checkout', '-qb', 'feature/x'], 'feature/x'],
  ['no branch', ['checkout', '-q', '--detach'], 'HEAD'],
])("its HEAD is on %s like the user's", async (_, args, name) => {
  const root = temporaryRepository({ 'a.js': '1\n', 'run.sh': '#!/bin/sh\n' });
  git(root, 'update-index', '--chmod=+x', 'run.sh');
  git(root, ...args);
  const checkout = await checkoutOf(root);
  expect(git(checkout.root, 'rev-parse', '--abbrev-ref', 'HEAD').trim()).toBe(name);
  expect(git(checkout.root, 'rev-parse', 'HEAD')).toBe(git(root, 'rev-parse', 'HEAD'));
  expect(git(checkout.root, 'log', '--format=%s')).toBe(git(root, 'log', '--format=%s'));
  expect(git(checkout.root, 'fsck')).not.toMatch(/error|missing/);
  await checkout.close();
});

test('without the objects of the history, it has the files and no commit', async () => {
  const root = temporaryRepository({ 'a.js': '1\n' });
  const repository = { ...(await openRepository(root)), head: 'f'.repeat(40) };
  const snapshots = await openSnapshots(repository, LOOP);
  const tree = await snapshots.snapshot(root);
  const options = { repository, snapshots, carry: [], workspaceDir: temporaryFolder() };
  const checkout = await openPristineCheckout(options, tree);
  expect(checkout.history).toEqual([]);
  expect(git(checkout.root, 'status', '--porcelain')).toBe('?? a.js\n');
  await checkout.close();
});

test('attributes of the repository apply', async () => {
  const root = temporaryRepository({ '.gitattributes': '*.txt ident eol=crlf\n', 'a.txt': '$Id$\n' });
  const checkout = await checkoutOf(root);
  expect(readFileSync(join(checkout.root, 'a.txt'), 'utf8')).toMatch(/^\$Id: [0-9a-f]{40} \$\r\n$/);
  await checkout.close();
});

test('a commit in it does not reach the repository', async () => {
  const root = temporaryRepository({ 'a.js': '1\n' });
  const before = git(root, 'for-each-ref');
  const checkout = await checkoutOf(root);
  git(
    checkout.root,
    '-c',
    'user.name=x',
    '-c',
    'user.email=x@example.org',
    'commit',
    '--allow-empty',
    '-qm',
    'x',
  );
  expect(git(root, 'for-each-ref')).toBe(before);
  expect(git(checkout.root, 'rev-parse', 'HEAD')).not.toBe(git(root, 'rev-parse', 'HEAD'));
  await checkout.close();
});

test('a second one lies beside the first, and the next first one removes both of a killed process', async () => {
  const root = temporaryRepository({ 'a.js': '1\n' });
  const repository = await openRepository(root);
  const snapshots = await openSnapshots(repository, LOOP);
  const tree = await snapshots.snapshot(root);
  const options = { repository, snapshots, carry: [], workspaceDir: temporaryFolder() };
  const [first, second] = await Promise.all([
    openPristineCheckout(options, tree),
    openPristineCheckout({ ...options, isSecond: true }, tree),
  ]);
  const areThere = (): boolean[] => [first, second].map((it) => existsSync(join(it.root, 'a.js')));
  expect(areThere()).toEqual([true, true]);
  const next = await openPristineCheckout(options, tree);
  expect(areThere()).toEqual([false, false]);
  await next.close();
});
