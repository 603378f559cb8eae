import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBounded, readTreeText, readTreeTextSync } from '../../../src/platform/files/read-bounded.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph-read-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('reads a file, but neither a large one nor a pipe without a writer', async () => {
  const [file, large, pipe] = ['file', 'large', 'pipe'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, 'text');
  writeFileSync(large, '');
  truncateSync(large, 1_000_000_000_000);
  execaSync('mkfifo', [pipe]);
  expect(await readBounded(file)).toBe('text');
  expect(await readBounded(file, 4)).toBe('text');
  await expect(readBounded(file, 3)).rejects.toThrow('has 4 bytes; at most 3 are read');
  await expect(readBounded(large)).rejects.toThrow('at most');
  await expect(readBounded(pipe)).rejects.toThrow('no regular file');
  await expect(readBounded(join(folder, 'none'))).rejects.toThrow('ENOENT');
});

it('reads no text of a tree through a link to an endless device', async () => {
  const link = join(folder, 'z.js');
  symlinkSync('/dev/zero', link);
  await expect(readTreeText(link)).rejects.toThrow('no regular file');
  expect(() => readTreeTextSync(link)).toThrow('no regular file');
  writeFileSync(join(folder, 'a.js'), 'text');
  symlinkSync('a.js', join(folder, 'b.js'));
  expect(readTreeTextSync(join(folder, 'b.js'))).toBe('text');
});
