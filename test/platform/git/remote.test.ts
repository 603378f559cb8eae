import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createBranchStore, type BranchStore } from '../../../src/workspace/deliver/branch-store.ts';
import { openRemoteDesk, type RemoteDesk } from '../../../src/platform/git/remote.ts';
import { git, repositoryWith, temporaryFolder } from '../../support/repositories.ts';

const TOKEN = 'ghs_loopback0123456789abcdefghijklmnopqr';
const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(
  answer: (headers: IncomingHttpHeaders, server: Server) => { status: number; location?: string },
): Promise<{ url: string; seen: IncomingHttpHeaders[] }> {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    const { status, location } = answer(request.headers, server);
    response
      .writeHead(status, location === undefined ? {} : { location: `${location}${request.url!}` })
      .end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

async function deskOf(url: string, token?: string): Promise<RemoteDesk> {
  const desk = await openRemoteDesk({ url, token });
  closing.push(() => desk.close());
  return desk;
}

test('the token is sent to the host of the remote, and no redirect is followed with it', async () => {
  const other = await listen(() => ({ status: 404 }));
  const own = await listen(() => ({ status: 302, location: other.url.replace('127.0.0.1', 'localhost') }));
  const desk = await deskOf(`${own.url}/octo-org/shop.git`, TOKEN);
  const error = await desk.tipOf('main').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    message: expect.stringMatching(/git ls-remote with .* failed/) as string,
    hint: 'The repository has moved. Give git its new address: git remote set-url origin URL',
  });
  const basic = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
  expect(own.seen[0]!.authorization).toBe(`basic ${basic}`);
  expect(other.seen).toEqual([]);
});

test('the token is in no command line and in no file', async () => {
  const folder = temporaryFolder();
  const log = join(folder, 'calls');
  const real = git(folder, '--exec-path').trim();
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\nexec '${real}/git' "$@"\n`);
  chmodSync(join(folder, 'git'), 0o755);
  const { PATH } = process.env;
  process.env.PATH = `${folder}:${PATH}`;
  try {
    const server = await listen(() => ({ status: 401 }));
    const desk = await deskOf(`${server.url}/octo-org/shop.git`, TOKEN);
    await desk.tipOf('main').catch(() => undefined);
    const basic = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
    expect(server.seen[0]!.authorization).toContain(basic);
    const calls = readFileSync(log, 'utf8');
    expect(calls).toContain('ls-remote');
    expect(calls).not.toContain(TOKEN);
    expect(calls).not.toContain(basic);
    expect(readFileSync(join(desk.gitDir, 'config'), 'utf8')).not.toContain(basic);
  } finally {
    process.env.PATH = PATH;
  }
});

test('an unreachable remote is reported with its address, without credentials', async () => {
  const desk = await deskOf('http://user:hunter2secret@127.0.0.1:9/octo-org/shop.git', TOKEN);
  const error = await desk.tipOf('main').catch((thrown: Error) => thrown);
  expect((error as Error).message).toContain('http://127.0.0.1:9/octo-org/shop.git');
  expect((error as Error).message).not.toMatch(/hunter2secret|ghs_/);
});

test('a push succeeds only if the branch is at the expected commit', async () => {
  const root = repositoryWith({ 'a.txt': 'a\n' });
  const desk = await deskOf(root);
  const head = await desk.fetch('main');
  expect(await desk.push({ commit: head, branch: 'ralph/fix-main', from: undefined })).toBe(true);
  expect(await desk.push({ commit: head, branch: 'ralph/fix-main', from: head })).toBe(true);
  git(root, 'commit', '--quiet', '--allow-empty', '--message=more');
  git(root, 'branch', '--force', 'ralph/fix-main', 'main');
  const moved = git(root, 'rev-parse', 'main').trim();
  expect(await desk.push({ commit: head, branch: 'ralph/fix-main', from: head })).toBe(false);
  expect(await desk.push({ commit: head, branch: 'ralph/fix-main', from: undefined })).toBe(false);
  expect(git(root, 'rev-parse', 'ralph/fix-main').trim()).toBe(moved);
});

/** Adds 1 to the number in a file. */
async function countUp(store: BranchStore): Promise<void> {
  await store.update('count', async (files) => {
    const before = Number((await files.read('count', 100))?.toString('utf8') ?? '0');
    return new Map([['count', Buffer.from(String(before + 1))]]);
  });
}

test('a branch of files begins without a parent, and concurrent updates are all kept', async () => {
  const root = repositoryWith({ 'a.txt': 'a\n' });
  const stores = await Promise.all(
    [1, 2, 3].map(async () => createBranchStore(await deskOf(root), 'ralph/memory')),
  );
  await Promise.all(stores.map(countUp));
  await countUp(stores[0]!);
  expect(git(root, 'show', 'ralph/memory:count')).toBe('4');
  expect(git(root, 'rev-list', '--count', 'ralph/memory').trim()).toBe('4');
  expect(git(root, 'ls-tree', '-r', '--name-only', 'ralph/memory').trim()).toBe('count');
});

test('a branch that another one keeps from being made is named', async () => {
  const root = repositoryWith({ 'a.txt': 'a\n' });
  git(root, 'branch', 'ralph');
  const store = createBranchStore(await deskOf(root), 'ralph/memory');
  await expect(countUp(store)).rejects.toThrow('cannot be made, because there is a branch ralph.');
});

test('an update without changes pushes nothing and creates no branch', async () => {
  const root = repositoryWith({ 'a.txt': 'a\n' });
  const store = createBranchStore(await deskOf(root), 'ralph/memory');
  await store.update('nothing', async () => new Map());
  expect(git(root, 'branch', '--list', 'ralph/*')).toBe('');
  expect((await store.open()).tip).toBeUndefined();
});

test('links in the branch are exported as plain files', async () => {
  const root = repositoryWith({ 'a.txt': 'a\n' });
  git(root, 'checkout', '--quiet', '--orphan', 'ralph/memory');
  git(root, 'rm', '--quiet', '--cached', '-r', '.');
  const id = git(root, 'hash-object', '-w', 'a.txt').trim();
  git(root, 'update-index', '--add', '--cacheinfo', `120000,${id},memory/link`);
  git(root, 'commit', '--quiet', '--message=link');
  const folder = join(temporaryFolder(), 'out');
  await (
    await createBranchStore(await deskOf(root), 'ralph/memory').open()
  ).export(['reflections', 'memory'], folder);
  expect(readFileSync(join(folder, 'memory', 'link'), 'utf8')).toBe('a\n');
});
