import { chmodSync, existsSync, lstatSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TreeId } from '../../../src/ports/tree.ts';
import { createDelivery, type DeliveryOptions } from '../../../src/workspace/deliver/deliver.ts';
import { saveDelivery } from '../../../src/workspace/deliver/record.ts';
import { undoDelivery } from '../../../src/workspace/deliver/undo.ts';
import {
  LOOP,
  fingerprint,
  git,
  openWorkspace,
  read,
  temporaryRepository,
  write,
  type Files,
  type Opened,
} from '../temporary-repository.ts';

const BEFORE: Files = {
  'src/a.js': '1\n',
  'src/gone.js': '1\n',
  'only/child.js': '1\n',
  'run.sh': '#!/bin/sh\n',
  'private.js': 'x\n',
  'link.js': { to: 'src/a.js' },
  'becomes-folder': '1\n',
  'other.js': '1\n',
};

function act(root: string): void {
  rmSync(join(root, 'src/gone.js'));
  rmSync(join(root, 'only'), { recursive: true });
  write(root, {
    'src/a.js': 'fixed\n',
    'new/dir/b.js': 'new\n',
    'private.js': 'y\n',
    'link.js': { to: 'src/b.js' },
    'becomes-folder/x.js': '1\n',
    'odd 😀\nname': Buffer.from([0, 255, 13, 10]),
  });
  chmodSync(join(root, 'run.sh'), 0o755);
}

interface Prepared extends Opened {
  readonly tree: TreeId;
  deliver(
    how: 'tree' | 'commit' | 'branch',
    more?: Partial<DeliveryOptions>,
  ): ReturnType<ReturnType<typeof createDelivery>['deliver']>;
  undo(): ReturnType<typeof undoDelivery>;
}

async function prepared(
  files: Files = BEFORE,
  work = act,
  root = temporaryRepository(files),
): Promise<Prepared> {
  const opened = await openWorkspace(root);
  const { repository, snapshots, workspace } = opened;
  work(workspace.root);
  const tree = await workspace.checkpoint();
  const base = workspace.base;
  const task = 'Fix the parser\nand more';
  return {
    ...opened,
    tree,
    deliver: (how, more = {}) =>
      createDelivery({ repository, snapshots, loopId: LOOP, task, base, ...more }).deliver(tree, how),
    undo: () => undoDelivery({ repository, snapshots, loopId: LOOP }),
  };
}

/** HEAD, refs and index; objects may be added. */
function gitState(root: string): Record<string, string> {
  const entries = Object.entries(fingerprint(join(root, '.git')));
  return Object.fromEntries(entries.filter(([path]) => !/^(objects|logs)\//.test(path)));
}

const IGNORED = ['.git', '.aiwg'];

describe('delivery into the tree', () => {
  test('writes the result to the user’s files, uncommitted, without touching the index', async () => {
    const { root, workspace, deliver } = await prepared();
    const before = fingerprint(join(root, '.git'));
    const outcome = await deliver('tree');
    expect(outcome).toMatchObject({ applied: 'tree', conflict: false });
    expect(outcome.message).toContain(`ralph undo ${LOOP}`);
    expect(fingerprint(root, IGNORED)).toEqual(fingerprint(workspace.root, ['.git']));
    expect(fingerprint(join(root, '.git'))).toEqual(before);
    expect(existsSync(join(root, 'only'))).toBe(false);
  });

  test('keeps a file’s permissions and applies the executable bit', async () => {
    const root = temporaryRepository(BEFORE);
    chmodSync(join(root, 'private.js'), 0o600);
    const { deliver } = await prepared(BEFORE, act, root);
    await deliver('tree');
    expect(statSync(join(root, 'private.js')).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'run.sh')).mode & 0o111).toBe(0o111);
  });

  test('keeps the user’s uncommitted work', async () => {
    const root = temporaryRepository(BEFORE);
    write(root, { 'other.js': 'mine\n', 'untracked.js': 'mine\n' });
    git(root, 'add', 'other.js');
    const { deliver } = await prepared(BEFORE, act, root);
    expect(await deliver('tree')).toMatchObject({ applied: 'tree' });
    expect(read(root, 'other.js')).toBe('mine\n');
    expect(git(root, 'diff', '--cached', '--name-only')).toBe('other.js\n');
  });

  test('applies nothing for the base itself', async () => {
    const { deliver } = await prepared(BEFORE, () => {});
    expect(await deliver('tree')).toMatchObject({ applied: 'none', conflict: false });
  });

  test.each([
    ['other.js', (root: string) => write(root, { 'other.js': 'meanwhile\n' })],
    ['meanwhile.js', (root: string) => write(root, { 'meanwhile.js': '1\n' })],
    ['other.js', (root: string) => rmSync(join(root, 'other.js'))],
  ])('leaves %s alone, which the user changed and the result does not, and names it', async (name, move) => {
    const { root, deliver } = await prepared();
    move(root);
    const mine = existsSync(join(root, name)) ? read(root, name) : undefined;
    const outcome = await deliver('tree');
    expect(outcome).toMatchObject({ applied: 'tree', conflict: false });
    expect(outcome.message).toContain(`You changed ${name} meanwhile`);
    expect(read(root, 'src/a.js')).toBe('fixed\n');
    expect(existsSync(join(root, name)) ? read(root, name) : undefined).toBe(mine);
  });

  test.each([
    ['the same file', (root: string) => write(root, { 'src/a.js': 'meanwhile\n' }), 'src/a.js'],
    ['a deletion of it', (root: string) => rmSync(join(root, 'src/a.js')), 'src/a.js'],
    ['a file in place of its folder', (root: string) => write(root, { new: 'meanwhile\n' }), 'new'],
  ])('stores the result as a branch if the user’s tree changed by %s', async (_, move, name) => {
    const { root, deliver } = await prepared();
    move(root);
    const before = fingerprint(root, IGNORED);
    const state = gitState(root);
    const outcome = await deliver('tree', { patchPath: '.aiwg/ralph/loops/x/attempts/001/patch.diff' });
    expect(outcome).toMatchObject({ applied: 'branch', conflict: true, branch: `ralph/${LOOP}` });
    for (const part of [name, `ralph/${LOOP}`, 'patch.diff']) expect(outcome.message).toContain(part);
    expect(fingerprint(root, IGNORED)).toEqual(before);
    expect(gitState(root)).toEqual({ ...state, [`refs/heads/ralph/${LOOP}`]: expect.any(String) });
    expect(git(root, 'show', `ralph/${LOOP}:src/a.js`)).toBe('fixed\n');
  });

  test('undoes its writes if a later write fails', async () => {
    const { root, deliver } = await prepared({ ...BEFORE, '.gitignore': '*.tmp\n' });
    write(root, { 'new/dir/b.js/in-the-way.tmp': 'ignored, and so no part of the base\n' });
    const before = fingerprint(root, IGNORED);
    await expect(deliver('tree')).rejects.toMatchObject({ code: 'workspace_unwritable', exitCode: 4 });
    expect(fingerprint(root, IGNORED)).toEqual(before);
  });

  test('completes a delivery that was killed, and no other one', async () => {
    const { root, workspace, tree, deliver } = await prepared();
    write(root, { 'src/a.js': 'fixed\n', 'src/.ralph-delivery.tmp': 'part' });
    rmSync(join(root, 'src/gone.js'));
    await saveDelivery(root, LOOP, { base: workspace.base, tree, state: 'applying', applied: 'tree' });
    expect(await deliver('tree')).toMatchObject({ applied: 'tree', conflict: false });
    expect(fingerprint(root, IGNORED)).toEqual(fingerprint(workspace.root, ['.git']));

    const other = await prepared();
    write(other.root, { 'src/a.js': 'fixed\n' });
    expect(await other.deliver('tree')).toMatchObject({ conflict: true });
  });

  test('does not repeat a completed delivery, which can still be undone', async () => {
    const { root, workspace, deliver, undo } = await prepared();
    const before = fingerprint(root, IGNORED);
    await deliver('tree');
    expect(await deliver('tree')).toMatchObject({ applied: 'tree', conflict: false });
    expect(git(root, 'branch', '--list', 'ralph/*')).toBe('');
    expect(fingerprint(root, IGNORED)).toEqual(fingerprint(workspace.root, ['.git']));
    write(root, { 'other.js': 'meanwhile\n' });
    await deliver('branch');
    write(root, { 'other.js': '1\n' });
    await undo();
    expect(fingerprint(root, IGNORED)).toEqual(before);
  });

  test('reports no conflict for a result that is in the user’s tree already, nor for products of the checks', async () => {
    const { root, deliver } = await prepared();
    act(root);
    write(root, { 'coverage/report.txt': 'product\n' });
    expect(await deliver('tree', { inPlace: true })).toMatchObject({ applied: 'tree', conflict: false });
    write(root, { 'src/a.js': 'meanwhile\n' });
    expect(await deliver('tree', { inPlace: true })).toMatchObject({ conflict: true });
  });
});

describe('delivery as a commit', () => {
  test('commits exactly the changed files on the current branch and keeps other staged changes', async () => {
    const root = temporaryRepository(BEFORE);
    write(root, { 'other.js': 'mine\n' });
    git(root, 'add', 'other.js');
    const { deliver } = await prepared(BEFORE, act, root);
    expect(await deliver('commit')).toMatchObject({ applied: 'commit', conflict: false });
    expect(git(root, 'log', '-1', '--format=%s|%(trailers:key=Ralph-Loop,valueonly,separator=)')).toBe(
      `ralph: Fix the parser|${LOOP}\n`,
    );
    expect(git(root, 'diff', '--cached', '--name-only')).toBe('other.js\n');
    expect(git(root, 'status', '--porcelain', '--', 'src', 'new', 'run.sh', 'link.js')).toBe('');
    expect(git(root, 'show', 'HEAD:new/dir/b.js')).toBe('new\n');
    expect(git(root, 'show', 'HEAD:other.js')).toBe('1\n');
  });

  test('leaves the result uncommitted and the index unchanged if a hook refuses', async () => {
    const { root, workspace, deliver } = await prepared();
    write(root, { '.git/hooks/pre-commit': { program: '#!/bin/sh\necho lint failed >&2\nexit 1\n' } });
    const index = git(root, 'ls-files', '--stage');
    const outcome = await deliver('commit', { hooks: true });
    expect(outcome).toMatchObject({ applied: 'tree', conflict: false });
    expect(outcome.message).toContain('lint failed');
    expect(git(root, 'ls-files', '--stage')).toBe(index);
    expect(git(root, 'log', '--format=%s')).toBe('start\n');
    expect(fingerprint(root, IGNORED)).toEqual(fingerprint(workspace.root, ['.git']));
  });

  test('runs no hook unless asked to, and names those that did not run', async () => {
    const { root, deliver } = await prepared();
    write(root, { 'hooks/commit-msg': { program: '#!/bin/sh\nexit 1\n' } });
    git(root, 'config', 'core.hooksPath', 'hooks');
    const outcome = await deliver('commit');
    expect(outcome).toMatchObject({ applied: 'commit' });
    expect(outcome.message).toContain('These hooks did not run');
    expect(outcome.message).toContain(': commit-msg.');
  });
});

describe('delivery as a branch', () => {
  test('creates one commit on HEAD without touching files, index or HEAD', async () => {
    const { root, deliver } = await prepared();
    const files = fingerprint(root, IGNORED);
    const state = gitState(root);
    expect(await deliver('branch')).toMatchObject({
      applied: 'branch',
      branch: `ralph/${LOOP}`,
      conflict: false,
    });
    expect(fingerprint(root, IGNORED)).toEqual(files);
    expect(gitState(root)).toEqual({ ...state, [`refs/heads/ralph/${LOOP}`]: expect.any(String) });
    expect(git(root, 'rev-parse', `ralph/${LOOP}^`)).toBe(git(root, 'rev-parse', 'HEAD'));
    git(root, 'merge', '--quiet', `ralph/${LOOP}`);
    expect(read(root, 'src/a.js')).toBe('fixed\n');
    expect(lstatSync(join(root, 'link.js')).isSymbolicLink()).toBe(true);
  });

  test('contains only ralph’s changes, not the user’s uncommitted work', async () => {
    const root = temporaryRepository(BEFORE);
    write(root, { 'other.js': 'mine\n', 'untracked.js': 'mine\n' });
    const { deliver } = await prepared(BEFORE, act, root);
    await deliver('branch');
    const names = git(root, 'diff', '--name-only', '-z', `HEAD..ralph/${LOOP}`).split('\0');
    expect(names).not.toContain('other.js');
    expect(names).not.toContain('untracked.js');
    expect(names).toContain('src/a.js');
  });

  test('applies the user’s line-end rules, as git add does', async () => {
    const files = { '.gitattributes': '*.js text eol=crlf\n', 'a.js': '1\r\n' };
    const { root, deliver } = await prepared(files, (at) => write(at, { 'a.js': '2\r\n' }));
    await deliver('branch');
    expect(git(root, 'show', `ralph/${LOOP}:a.js`)).toBe('2\n');
  });

  test('starts from the commit that the loop began on', async () => {
    const { root, repository, deliver } = await prepared();
    git(root, 'commit', '--quiet', '--allow-empty', '--message', 'meanwhile');
    await deliver('branch', { head: repository.head });
    expect(git(root, 'rev-parse', `ralph/${LOOP}^`).trim()).toBe(repository.head);
  });

  test('returns an existing branch with the same result, and numbers a branch with another one', async () => {
    const { root, deliver } = await prepared();
    await deliver('branch');
    expect(await deliver('branch')).toMatchObject({ branch: `ralph/${LOOP}` });
    git(root, 'branch', '--force', `ralph/${LOOP}`, 'HEAD');
    expect(await deliver('branch')).toMatchObject({ branch: `ralph/${LOOP}-2` });
    expect(git(root, 'rev-parse', `ralph/${LOOP}`)).toBe(git(root, 'rev-parse', 'HEAD'));
  });

  test('reports the branch that prevents its name', async () => {
    const { root, deliver } = await prepared();
    git(root, 'branch', 'ralph');
    await expect(deliver('branch')).rejects.toMatchObject({ code: 'conflict', exitCode: 4 });
  });

  test('runs no hook of the user’s', async () => {
    const { root, deliver } = await prepared();
    const hook = { program: '#!/bin/sh\ntouch ran\nexit 1\n' };
    write(root, { '.git/hooks/reference-transaction': hook, '.git/hooks/post-checkout': hook });
    await deliver('branch');
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });
});

describe('undo', () => {
  test('restores every file, with modes and folders', async () => {
    const root = temporaryRepository(BEFORE);
    chmodSync(join(root, 'private.js'), 0o600);
    write(root, { 'src/a.js': 'uncommitted\n' });
    const { deliver, undo } = await prepared(BEFORE, act, root);
    const before = fingerprint(root, IGNORED);
    await deliver('tree');
    const { files } = await undo();
    expect(fingerprint(root, IGNORED)).toEqual(before);
    expect(files).toContain('src/a.js');
    expect(existsSync(join(root, 'new'))).toBe(false);
    await expect(undo()).rejects.toMatchObject({ code: 'conflict', exitCode: 4 });
  });

  test('keeps the user’s later changes in other files', async () => {
    const { root, deliver, undo } = await prepared();
    await deliver('tree');
    write(root, { 'other.js': 'since\n' });
    await undo();
    expect(read(root, 'other.js')).toBe('since\n');
    expect(read(root, 'src/a.js')).toBe('1\n');
  });

  test.each([
    ['edited', (root: string) => write(root, { 'src/a.js': 'since\n' })],
    ['deleted', (root: string) => rmSync(join(root, 'src/a.js'))],
    ['given another mode', (root: string) => chmodSync(join(root, 'src/a.js'), 0o755)],
  ])('touches nothing and names the file if a file was %s since', async (_, change) => {
    const { root, deliver, undo } = await prepared();
    await deliver('tree');
    change(root);
    const before = fingerprint(root, IGNORED);
    await expect(undo()).rejects.toThrow('src/a.js');
    await expect(undo()).rejects.toMatchObject({ exitCode: 4 });
    expect(fingerprint(root, IGNORED)).toEqual(before);
  });

  test('undoes an interrupted delivery', async () => {
    const { root, workspace, tree, undo } = await prepared();
    const before = fingerprint(root, IGNORED);
    write(root, { 'src/a.js': 'fixed\n', 'new/dir/b.js': 'new\n' });
    await saveDelivery(root, LOOP, { base: workspace.base, tree, state: 'applying', applied: 'tree' });
    await undo();
    expect(fingerprint(root, IGNORED)).toEqual(before);
  });

  test('restores the files after a commit and explains how to revert the commit', async () => {
    const { root, deliver, undo } = await prepared();
    await deliver('commit');
    expect((await undo()).message).toContain(`git revert ${git(root, 'rev-parse', 'HEAD').slice(0, 10)}`);
    expect(read(root, 'src/a.js')).toBe('1\n');
  });

  test('deletes the branch, unless it has new commits', async () => {
    const { root, deliver, undo } = await prepared();
    await deliver('branch');
    git(root, 'branch', '--force', `ralph/${LOOP}`, 'HEAD');
    await expect(undo()).rejects.toMatchObject({ code: 'conflict' });
    await deliver('branch');
    await undo();
    expect(git(root, 'branch', '--list', 'ralph/*').trim()).toBe(`ralph/${LOOP}`);
  });

  test('allows another delivery', async () => {
    const { root, workspace, deliver, undo } = await prepared();
    await deliver('tree');
    await undo();
    expect(await deliver('tree')).toMatchObject({ applied: 'tree', conflict: false });
    expect(fingerprint(root, IGNORED)).toEqual(fingerprint(workspace.root, ['.git']));
  });

  test('reports a damaged record and another way to undo', async () => {
    const { root, deliver, undo } = await prepared();
    await deliver('tree');
    writeFileSync(join(root, '.aiwg/ralph/loops', LOOP, 'delivery.json'), '{"base":"../../x"');
    await expect(undo()).rejects.toMatchObject({ code: 'state_damaged', exitCode: 7 });
  });

  test('works after a delivery that set a damaged record aside', async () => {
    const { root, deliver, undo } = await prepared();
    const before = fingerprint(root, IGNORED);
    await deliver('tree');
    const record = join(root, '.aiwg/ralph/loops', LOOP, 'delivery.json');
    writeFileSync(record, '{"base":"../../x"');
    expect(await deliver('tree')).toMatchObject({ applied: 'tree', conflict: false });
    expect(readFileSync(`${record}.damaged`, 'utf8')).toBe('{"base":"../../x"');
    await undo();
    expect(fingerprint(root, IGNORED)).toEqual(before);
  });
});
