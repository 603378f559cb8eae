import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal, readJournal, scanJournal } from '../../src/state/journal.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph-journal-'));
  path = join(folder, 'journal.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (seq: number, step = `step${seq}`): string =>
  `${JSON.stringify({ seq, at: '2026-01-25T10:00:00.000Z', step, data: { n: seq } })}\n`;

describe('a journal', () => {
  it('is empty before its first record', () => {
    expect(readJournal(path)).toEqual({ records: [], bytes: 0 });
  });

  it('reads appended records from the disk in order', async () => {
    const journal = openJournal(path);
    await Promise.all([journal.append('a', 1), journal.append('b', 'ä'), journal.append('c', null)]);
    const { records, bytes } = readJournal(path);
    expect(records.map(({ seq, step, data }) => [seq, step, data])).toEqual([
      [0, 'a', 1],
      [1, 'b', 'ä'],
      [2, 'c', null],
    ]);
    expect(bytes).toBe(readFileSync(path).length);
  });

  it('loses only the incomplete record of a crash, at any length, and continues after the last complete one', async () => {
    const whole = line(0) + line(1);
    const torn = line(2, 'tørn');
    const bytes = Buffer.from(torn);
    for (let cut = 0; cut < bytes.length; cut++) {
      writeFileSync(path, Buffer.concat([Buffer.from(whole), bytes.subarray(0, cut)]));
      const journal = openJournal(path);
      expect(journal.records.map(({ seq }) => seq)).toEqual([0, 1]);
      if (cut % 20 !== 1) continue;
      await journal.append('after', cut);
      expect(readJournal(path).records.map(({ step }) => step)).toEqual(['step0', 'step1', 'after']);
    }
  });

  it.each([
    ['zeros without an end', '\0'.repeat(50)],
    ['zeros before the rest of the record', `${'\0'.repeat(20)}"data":1}\n`],
  ])('ignores a tail of %s, as a power cut leaves it', async (_, tail) => {
    writeFileSync(path, line(0) + tail);
    const journal = openJournal(path);
    await journal.append('after', 1);
    expect(readJournal(path).records.map(({ step }) => step)).toEqual(['step0', 'after']);
  });

  it.each([
    ['a line that is no JSON', [line(0), '{"seq":1,\n', line(2)], 2],
    ['a line that is no record', [line(0), '{"seq":1}\n', line(2)], 2],
    ['an empty line', [line(0), '\n', line(1)], 2],
    ['a gap', [line(0), line(2)], 2],
    ['a record twice', [line(0), line(1), line(1)], 3],
    ['a first record that is not the first', [line(1)], 1],
    ['a whole last line that is no record', [line(0), 'nonsense\n'], 2],
  ])('names file and line of %s, and a remedy', (_, lines, number) => {
    writeFileSync(path, lines.join(''));
    const read = (): unknown => readJournal(path);
    expect(read).toThrow(`${path} is damaged: line ${number}: `);
    expect(read).toThrow(
      expect.objectContaining({
        code: 'state_damaged',
        exitCode: 7,
        hint: expect.stringContaining('ralph resume sets it aside'),
      }),
    );
    expect(() => openJournal(path)).toThrow('is damaged');
  });

  it('detects every flipped bit of a journal', async () => {
    const journal = openJournal(path);
    for (const step of ['a', 'b', 'c']) await journal.append(step, { reward: 0.5, tree: 'abc' });
    const whole = readFileSync(path);
    const missed: string[] = [];
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const bytes = Buffer.from(whole);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(path, bytes);
      const { problem, records } = scanJournal(path);
      // The last line break is all that tells a whole last line from one that was never acknowledged.
      const isLastEnd = bit >> 3 === whole.length - 1;
      if (records.length === 3 || (problem === undefined && !isLastEnd)) missed.push(`bit ${bit}`);
    }
    expect(missed).toEqual([]);
  });

  it('would miss flipped bits without the checksums', () => {
    writeFileSync(path, line(0).replace('"n":0', '"n":1'));
    expect(readJournal(path).records[0]!.data).toEqual({ n: 1 });
  });

  it('does not mistake zeros in the middle for an incomplete end', () => {
    writeFileSync(path, line(0) + line(1).replace('step1', '\0\0\0\0\0') + line(2));
    expect(() => readJournal(path)).toThrow('line 2: ');
  });

  it('refuses an invalid step and writes nothing', async () => {
    const journal = openJournal(path);
    await expect(journal.append('', 1)).rejects.toThrow('cannot be added to the journal');
    await journal.append('good', 1);
    expect(readJournal(path).records.map(({ seq, step }) => [seq, step])).toEqual([[0, 'good']]);
  });

  it('refuses to append after another process has appended', async () => {
    const [ours, theirs] = [openJournal(path), openJournal(path)];
    await theirs.append('theirs', 1);
    await expect(ours.append('ours', 1)).rejects.toMatchObject({ code: 'state_damaged' });
    expect(readJournal(path).records.map(({ step }) => step)).toEqual(['theirs']);
  });
});
