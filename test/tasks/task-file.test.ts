import {
  chmodSync,
  lstatSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTaskFile, removeUnfinishedTicks, tickTask } from '../../src/tasks/task-file.ts';
import { temporaryFolder } from '../support/repositories.ts';

function fileWith(content: string | Uint8Array, name = 'tasks.md'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

describe('a task file', () => {
  it('loses what a killed process left beside it, and nothing else', async () => {
    const folder = temporaryFolder();
    // No process has a number this high.
    const orphan = '.tasks.md.99999999-0123456789ab.ralph-tmp';
    const kept = [`.tasks.md.${process.ppid}-0123456789ab.ralph-tmp`, '.tasks.md.tmp', 'tasks.md'];
    for (const name of [orphan, ...kept]) writeFileSync(join(folder, name), '- [x] one\n');
    const link = join(temporaryFolder(), 'link.md');
    symlinkSync(join(folder, 'tasks.md'), link);
    await removeUnfinishedTicks(link);
    expect(readdirSync(folder).sort()).toEqual([...kept].sort());
  });

  it('is ticked atomically, with its mode, byte order mark and links kept, and without temporary files', async () => {
    const path = fileWith('\uFEFF- [ ] é one\r\n- [ ] two\r\n');
    chmodSync(path, 0o640);
    const link = join(temporaryFolder(), 'link.md');
    symlinkSync(path, link);
    const [, two] = readTaskFile(link).items;
    expect(await tickTask(link, two!.key)).toBe('ticked');
    expect(readFileSync(path, 'utf8')).toBe('\uFEFF- [ ] é one\r\n- [x] two\r\n');
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(path, '..'))).toEqual(['tasks.md']);
    expect(await tickTask(link, two!.key)).toBe('ticked');
  });

  it.each(['/dev/zero', '/proc/self/fd', '/'])('is not read from %s', (path) => {
    expect(() => readTaskFile(path)).toThrow(`--tasks ${path} is not a file.`);
  });

  it('is not read if it is huge', () => {
    const path = fileWith('- [ ] one\n');
    truncateSync(path, 100 * 2 ** 30);
    expect(() => readTaskFile(path)).toThrow(/107374182400 bytes; at most/);
  });

  it('keeps the user’s later changes when it is ticked', async () => {
    const path = fileWith('- [ ] one\n- [ ] two\n');
    const [one] = readTaskFile(path).items;
    writeFileSync(path, '# Added\n\n- [ ] zero\n- [ ] one\n');
    expect(await tickTask(path, one!.key)).toBe('ticked');
    expect(readFileSync(path, 'utf8')).toBe('# Added\n\n- [ ] zero\n- [x] one\n');
    writeFileSync(path, '- [ ] zero\n');
    expect(await tickTask(path, one!.key)).toBe('missing');
    expect(readFileSync(path, 'utf8')).toBe('- [ ] zero\n');
  });

  it.each([
    ['has no task', 'plain text\n', /has no task/],
    ['is not UTF-8', Buffer.from([0x2d, 0x20, 0x5b, 0x20, 0x5d, 0x20, 0xff]), /not UTF-8/],
    ['has a task without measure', `- [ ] ${'x'.repeat(20_001)}\n`, /at most 20000/],
  ])('is refused if it %s', (_, content, says) => {
    expect(() => readTaskFile(fileWith(content))).toThrow(says);
  });

  it('is refused if it cannot be read', () => {
    expect(() => readTaskFile('/nosuch/tasks.md')).toThrow(/--tasks \/nosuch\/tasks\.md could not be read/);
  });
});
