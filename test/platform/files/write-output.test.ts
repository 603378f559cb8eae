import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, execaSync } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeOutput } from '../../../src/platform/files/write-output.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph-output-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('writeOutput', () => {
  it('creates a file, and replaces one', async () => {
    const path = join(folder, 'new', 'report.html');
    await writeOutput(path, 'one');
    await writeOutput(path, '2');
    expect(readFileSync(path, 'utf8')).toBe('2');
  });

  it('writes to the target of a link, and keeps the link', async () => {
    writeFileSync(join(folder, 'target'), 'old');
    symlinkSync('target', join(folder, 'link'));
    await writeOutput(join(folder, 'link'), 'new');
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('new');
  });

  it('writes to a pipe, and keeps it', async () => {
    const pipe = join(folder, 'pipe');
    execaSync('mkfifo', [pipe]);
    const reader = execa('cat', [pipe]);
    await writeOutput(pipe, 'text');
    expect((await reader).stdout).toBe('text');
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  it('keeps a device', async () => {
    symlinkSync('/dev/null', join(folder, 'null'));
    await writeOutput(join(folder, 'null'), 'text');
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(lstatSync(join(folder, 'null')).isSymbolicLink()).toBe(true);
  });

  it('rejects for a folder, with its path', async () => {
    await expect(writeOutput(folder, 'text')).rejects.toMatchObject({
      code: 'workspace_unwritable',
      message: expect.stringContaining(folder),
    });
  });
});
