import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { databasePath } from '../../../src/platform/files/database-path.ts';
import { tryLock } from '../../../src/platform/files/sqlite-lock.ts';
import { temporaryFolder } from '../../support/repositories.ts';

it('SQLite opens a file of a folder whose path has 600 characters, always the same one', () => {
  const folder = join(temporaryFolder(), ...['a', 'b', 'c', 'd'].map((letter) => letter.repeat(150)));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'lock.sqlite');
  expect(tryLock(path, { waitMs: 0 }).kind).toBe('failed');
  const first = tryLock(databasePath(path), { waitMs: 0 });
  expect([first.kind, tryLock(databasePath(path), { waitMs: 0 }).kind]).toEqual(['held', 'busy']);
  const other = tryLock(databasePath(join(folder, '..', 'lock.sqlite')), { waitMs: 0 });
  expect(other.kind).toBe('held');
  for (const attempt of [first, other]) if (attempt.kind === 'held') attempt.lock.release();
  expect(databasePath(`${path}-wal`)).toBe(`${databasePath(path)}-wal`);
});

it('a shorter path stays as it is', () => {
  expect(databasePath('/repository/lock.sqlite')).toBe('/repository/lock.sqlite');
});
