import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitChanges } from '../../../src/workspace/deliver/commit.ts';
import { git, temporaryRepository, write } from '../temporary-repository.ts';

/** A change of a file that is in the tree already. */
function changeOf(path: string): Parameters<typeof commitChanges>[1] {
  const after = { mode: '100644', id: '0'.repeat(40) };
  return { changes: [{ path: Buffer.from(path), after }], message: 'message', hooks: true };
}

const REFUSING_HOOK = { '.git/hooks/pre-commit': { program: '#!/bin/sh\nexit 1\n' } };

describe('a commit that fails', () => {
  test('does not touch an index file that it did not write', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    write(root, { 'a.js': '2\n', '.git/index.lock': '' });
    const before = statSync(join(root, '.git/index'));
    expect(await commitChanges(root, changeOf('a.js'))).toMatchObject({ ok: false });
    const { ino, mtimeMs } = statSync(join(root, '.git/index'));
    expect([ino, mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  });

  test('unstages a new file', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    const before = readFileSync(join(root, '.git/index'));
    write(root, { ...REFUSING_HOOK, 'new.js': 'new\n' });
    expect(await commitChanges(root, changeOf('new.js'))).toMatchObject({ ok: false });
    expect(readFileSync(join(root, '.git/index'))).toEqual(before);
    expect(git(root, 'status', '--porcelain')).toBe('?? new.js\n');
  });

  test('removes the index if there was none before', async () => {
    const root = temporaryRepository({ 'a.js': '1\n' });
    rmSync(join(root, '.git/index'));
    write(root, { ...REFUSING_HOOK, 'new.js': 'new\n' });
    expect(await commitChanges(root, changeOf('new.js'))).toMatchObject({ ok: false });
    expect(existsSync(join(root, '.git/index'))).toBe(false);
  });
});
