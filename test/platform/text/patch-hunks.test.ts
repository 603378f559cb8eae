import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseHunks } from '../../../src/platform/text/patch-hunks.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph-hunks-'));
  execaSync('git', ['init', '-q', folder]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The diff that git writes between two versions of some files; null: the file does not exist. */
function diffOf(files: Record<string, [string | Buffer | null, string | Buffer | null]>): string {
  const git = (...args: string[]): string =>
    execaSync('git', ['-C', folder, '-c', 'core.quotePath=false', ...args], { stripFinalNewline: false })
      .stdout;
  const write = (side: 0 | 1): void => {
    for (const [name, sides] of Object.entries(files)) {
      if (sides[side] === null) rmSync(join(folder, name), { force: true });
      else writeFileSync(join(folder, name), sides[side]);
    }
    git('add', '-A');
  };
  write(0);
  const tree = git('write-tree').trim();
  write(1);
  return git('diff', '--cached', '--binary', tree);
}

const numbers = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);
const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

describe('parseHunks', () => {
  it('returns each hunk with the line of its first change in the new file', () => {
    const after = numbers.with(9, 'ten').toSpliced(40, 0, 'inserted');
    const whole = { isNewFile: false, isDeletedFile: false };
    expect(parseHunks(diffOf({ 'a.ts': [text(numbers), text(after)] }))).toEqual([
      {
        ...whole,
        file: 'a.ts',
        edits: [{ line: 10, removed: ['line 10'], added: ['ten'] }],
        start: 7,
        end: 13,
        line: 10,
        removed: ['line 10'],
        added: ['ten'],
        addedAt: [10],
        isOneChange: true,
        isWhole: false,
      },
      {
        ...whole,
        file: 'a.ts',
        edits: [{ line: 41, removed: [], added: ['inserted'] }],
        start: 38,
        end: 44,
        line: 41,
        removed: [],
        added: ['inserted'],
        addedAt: [41],
        isOneChange: true,
        isWhole: false,
      },
    ]);
  });

  it('tells one change from two with an unchanged line between them', () => {
    const two = numbers.with(9, 'ten').with(11, 'twelve');
    expect(parseHunks(diffOf({ 'a.ts': [text(numbers), text(two)] }))).toMatchObject([
      {
        removed: ['line 10', 'line 12'],
        edits: [
          { line: 10, removed: ['line 10'], added: ['ten'] },
          { line: 12, removed: ['line 12'], added: ['twelve'] },
        ],
        isOneChange: false,
      },
    ]);
  });

  it('separates new, deleted and changed files, with spaces and umlauts in their names', () => {
    const hunks = parseHunks(
      diffOf({ 'b c.ts': [null, 'new\n'], 'gone.ts': ['old\n', null], 'ü.ts': ['a\n', 'b\n'] }),
    );
    expect(hunks.map(({ file, line, removed, added }) => [file, line, removed, added])).toEqual([
      ['b c.ts', 1, [], ['new']],
      ['gone.ts', 1, ['old'], []],
      ['ü.ts', 1, ['a'], ['b']],
    ]);
  });

  it('reads changed lines that look like headers as changed lines', () => {
    const before = ['-- a/x', '++ b/x', '@@ -1 +1 @@', 'same'];
    const [hunk, ...others] = parseHunks(diffOf({ 'q.sql': [text(before), text(['++ c/y', 'same'])] }));
    expect(others).toEqual([]);
    expect(hunk).toMatchObject({ file: 'q.sql', removed: before.slice(0, 3), added: ['++ c/y'] });
  });

  it('reads a missing final newline, binary files and an empty diff', () => {
    const [hunk] = parseHunks(
      diffOf({ 'a.ts': ['x', 'y'], 'b.bin': [Buffer.from([0, 1]), Buffer.from([0, 2])] }),
    );
    expect(hunk).toMatchObject({ removed: ['x'], added: ['y'] });
    expect(parseHunks('')).toEqual([]);
    expect(parseHunks('no diff at all\n')).toEqual([]);
  });
});
