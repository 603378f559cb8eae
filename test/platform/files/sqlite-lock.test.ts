import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  primaryCode,
  SQLITE_NOTADB,
  tryLock,
  type SqliteLock,
} from '../../../src/platform/files/sqlite-lock.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph-sqlite-lock-'));
  path = join(folder, 'lock.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function lockOf(mode: 'exclusive' | 'shared'): SqliteLock {
  const attempt = tryLock(path, { mode, waitMs: 0 });
  if (attempt.kind !== 'held') throw attempt.error;
  return attempt.lock;
}

describe('tryLock', () => {
  it.each([
    ['exclusive', 'exclusive', 'busy'],
    ['exclusive', 'shared', 'busy'],
    ['shared', 'shared', 'held'],
  ] as const)('an %s lock makes a second %s one %s', (first, mode, expected) => {
    const lock = lockOf(first);
    const second = tryLock(path, { mode, waitMs: 0 });
    expect(second.kind).toBe(expected);
    if (second.kind === 'held') second.lock.release();
    lock.release();
  });

  it('gives the lock again after its release, which may be repeated', () => {
    const lock = lockOf('exclusive');
    lock.release();
    lock.release();
    const again = lockOf('exclusive');
    lock.release();
    expect(tryLock(path, { waitMs: 0 }).kind).toBe('busy');
    again.release();
  });

  it('reports a file that is not a database', () => {
    writeFileSync(path, 'not a database '.repeat(100));
    const attempt = tryLock(path, { waitMs: 0 });
    expect(attempt.kind).toBe('failed');
    if (attempt.kind === 'failed') expect(primaryCode(attempt.error)).toBe(SQLITE_NOTADB);
  });

  it('reports a folder that does not exist', () => {
    expect(tryLock(join(folder, 'missing', 'lock'), { waitMs: 0 }).kind).toBe('failed');
  });
});
