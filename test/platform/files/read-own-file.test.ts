import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { expect, it } from 'vitest';
import { readOwnFile } from '../../../src/platform/files/read-bounded.ts';
import { scanJournal } from '../../../src/state/journal.ts';
import { temporaryFolder } from '../../support/repositories.ts';

it.each([
  ['a pipe that nobody writes', (path: string) => void execaSync('mkfifo', [path])],
  ['a link to an endless device', (path: string) => symlinkSync('/dev/zero', path)],
  ['a folder', (path: string) => void mkdirSync(path)],
])('refuses %s at once', (_, make) => {
  const path = join(temporaryFolder(), 'file');
  make(path);
  expect(() => readOwnFile(path)).toThrow(/file is no regular file$/);
  expect(() => scanJournal(path)).toThrow(/no regular file/);
});

it('reads a file, and says that there is none as the system does', () => {
  const path = join(temporaryFolder(), 'file');
  expect(() => readOwnFile(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  writeFileSync(path, 'text');
  expect(readOwnFile(path).toString()).toBe('text');
});
