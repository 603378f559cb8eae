import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  appendDurably,
  createDurably,
  sweepOrphans,
  writeDurably,
} from '../../../src/platform/files/durable-write.ts';
import { refusedBySystem } from '../../../src/platform/files/file-errors.ts';

const MODULE = join(import.meta.dirname, '../../../src/platform/files/durable-write.ts');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph-durable-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script in a Node whose files cannot grow beyond 8 blocks (at most 8 KiB), like on a full disk. */
function runWithLittleDisk(script: string): string {
  const command = `ulimit -f 8 && exec "$0" --input-type=module -e "$1"`;
  const args = ['-c', command, process.execPath, script];
  return execaSync('bash', args, {
    env: { PATH: process.env.PATH },
    extendEnv: false,
    stripFinalNewline: false,
    reject: false,
  }).stdout;
}

describe('writeDurably', () => {
  it('creates the folder, writes text and bytes, and leaves no other file', async () => {
    const path = join(folder, 'a/b/file.json');
    await writeDurably(path, 'übung');
    expect(readFileSync(path, 'utf8')).toBe('übung');
    await writeDurably(path, new Uint8Array([0, 255, 10]));
    expect([...readFileSync(path)]).toEqual([0, 255, 10]);
    expect(readdirSync(join(folder, 'a/b'))).toEqual(['file.json']);
  });

  it('keeps the old file, and no temporary one, if the disk becomes full', () => {
    const path = join(folder, 'state.json');
    writeFileSync(path, 'old');
    const output = runWithLittleDisk(`
      import { writeDurably } from ${JSON.stringify(MODULE)};
      await writeDurably(${JSON.stringify(path)}, 'x'.repeat(100_000)).catch((e) => console.log(e.code, e.exitCode));
    `);
    expect(output.trim()).toBe('workspace_unwritable 4');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  it('names the file and a remedy if its folder is a file', async () => {
    writeFileSync(join(folder, 'file'), '');
    const path = join(folder, 'file/state.json');
    const failure = writeDurably(path, 'x');
    await expect(failure).rejects.toMatchObject({ code: 'workspace_unwritable', exitCode: 4 });
    await expect(failure).rejects.toThrow(path);
  });

  it('leaves the complete text of one of several concurrent writers', async () => {
    const path = join(folder, 'state.json');
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(5000));
    await Promise.all(texts.map((text) => writeDurably(path, text)));
    expect(texts).toContain(readFileSync(path, 'utf8'));
    expect(readdirSync(folder)).toEqual(['state.json']);
  });
});

describe('appendDurably', () => {
  it('appends after the kept bytes and returns the new length in bytes', async () => {
    const path = join(folder, 'sub/journal');
    expect(await appendDurably(path, 'ä\n', 0)).toBe(3);
    expect(await appendDurably(path, 'b\n', 3)).toBe(5);
    expect(readFileSync(path, 'utf8')).toBe('ä\nb\n');
  });

  it.each(['{"half', '\0\0\0', '\0\0\n\0'])('removes an incomplete end %j', async (torn) => {
    const path = join(folder, 'journal');
    writeFileSync(path, `a\n${torn}`);
    expect(await appendDurably(path, 'b\n', 2)).toBe(4);
    expect(readFileSync(path, 'utf8')).toBe('a\nb\n');
  });

  it('refuses to overwrite complete lines of another process', async () => {
    const path = join(folder, 'journal');
    writeFileSync(path, 'a\nforeign\n');
    await expect(appendDurably(path, 'b\n', 2)).rejects.toMatchObject({ code: 'state_damaged', exitCode: 7 });
    expect(readFileSync(path, 'utf8')).toBe('a\nforeign\n');
  });

  it('refuses a file that has become shorter', async () => {
    const path = join(folder, 'journal');
    writeFileSync(path, 'a\n');
    await expect(appendDurably(path, 'b\n', 20)).rejects.toMatchObject({ code: 'state_damaged' });
  });

  it('removes what it wrote if the disk becomes full', () => {
    const path = join(folder, 'journal');
    writeFileSync(path, 'first\n');
    const output = runWithLittleDisk(`
      import { readFileSync } from 'node:fs';
      import { appendDurably } from ${JSON.stringify(MODULE)};
      await appendDurably(${JSON.stringify(path)}, 'x'.repeat(100_000) + '\\n', 6).catch((e) => console.log(e.code));
      console.log(readFileSync(${JSON.stringify(path)}).length);
      console.log(await appendDurably(${JSON.stringify(path)}, 'second\\n', 6));
    `);
    expect(output).toBe('workspace_unwritable\n6\n13\n');
    expect(readFileSync(path, 'utf8')).toBe('first\nsecond\n');
  });
});

describe('refusedBySystem', () => {
  it('returns an error only for errors of the system', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(refusedBySystem(full)).toMatchObject({ code: 'workspace_unwritable', exitCode: 4 });
    expect(refusedBySystem(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBeUndefined();
    expect(refusedBySystem(new Error('a bug'))).toBeUndefined();
    expect(refusedBySystem(undefined)).toBeUndefined();
  });

  it.each<[string, string, string, string | undefined]>([
    ['a folder that is gone', 'scandir', 'gone', 'gone'],
    ['a file of a folder that is gone', 'open', 'gone/below/file', 'gone'],
    ['a file that is missing', 'open', 'file', undefined],
  ])('says of %s which folder does not exist any more', (_, syscall, name, missing) => {
    const error = Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall, path: join(folder, name) });
    const told = refusedBySystem(error);
    expect(told?.message).toBe(missing && `${join(folder, missing)} does not exist any more.`);
    expect(told?.exitCode).toBe(missing && 4);
  });
});

describe('sweepOrphans', () => {
  const deadPid = 2 ** 22 + 7;

  it('removes files of processes that have ended, and nothing else', async () => {
    const living = `.b.json.${process.ppid}-0123456789ab.ralph-tmp`;
    const names = ['a.json', '.hidden', 'a.ralph-tmp', living, `.a.json.${deadPid}-0123456789ab.ralph-tmp`];
    for (const name of names) writeFileSync(join(folder, name), '');
    expect(await sweepOrphans(folder)).toEqual([`.a.json.${deadPid}-0123456789ab.ralph-tmp`]);
    expect(readdirSync(folder).sort()).toEqual(names.slice(0, 4).sort());
  });

  it('removes old files even if their process id is in use again', async () => {
    const name = `.a.json.${process.ppid}-0123456789ab.ralph-tmp`;
    writeFileSync(join(folder, name), '');
    const yesterday = new Date(Date.now() - 86_400_000);
    utimesSync(join(folder, name), yesterday, yesterday);
    expect(await sweepOrphans(folder)).toEqual([name]);
  });

  it('keeps files that this process is writing', async () => {
    const path = join(folder, 'big');
    let isWritten = false;
    const writing = writeDurably(path, 'x'.repeat(20_000_000)).finally(() => (isWritten = true));
    let sweeps = 0;
    for (; !isWritten; sweeps++) expect(await sweepOrphans(folder)).toEqual([]);
    await writing;
    expect(sweeps).toBeGreaterThan(2);
    expect(readFileSync(path).length).toBe(20_000_000);
  });

  it('removes nothing if the folder does not exist', async () => {
    expect(await sweepOrphans(join(folder, 'none'))).toEqual([]);
    mkdirSync(join(folder, 'empty'));
    expect(await sweepOrphans(join(folder, 'empty'))).toEqual([]);
  });
});

describe('createDurably', () => {
  it('writes a new file, and changes nothing if one exists', async () => {
    const path = join(folder, 'new/file.txt');
    expect(await createDurably(path, 'first')).toBe(true);
    expect(await createDurably(path, 'second')).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('first');
    expect(readdirSync(join(folder, 'new'))).toEqual(['file.txt']);
  });

  it('succeeds for exactly one of several concurrent writers', async () => {
    const path = join(folder, 'file.txt');
    const texts = ['one', 'two', 'three', 'four'];
    const written = await Promise.all(texts.map((text) => createDurably(path, text)));
    expect(written.filter(Boolean)).toHaveLength(1);
    expect(readFileSync(path, 'utf8')).toBe(texts[written.indexOf(true)]);
  });
});
