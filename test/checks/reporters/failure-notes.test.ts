import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { createFailureNote, failuresFilePath } from '../../../src/checks/reporters/note-failures.ts';
import { watchFailures } from '../../../src/checks/reporters/watch-failures.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** What a watch passes on of the notes beside a report, when it ends. */
function notesBeside(report: string): string[] {
  const notes: string[] = [];
  watchFailures(report, (line) => notes.push(line)).close();
  return notes;
}

describe('notes of failed tests', () => {
  it('are passed on once each, in order, and at most five', () => {
    const report = join(temporaryFolder(), 'tests.json');
    const note = createFailureNote(report);
    for (let failure = 1; failure <= 7; failure++) note({ failure });
    appendFileSync(failuresFilePath(report), '{"failure":8}\n');
    expect(notesBeside(report)).toEqual([1, 2, 3, 4, 5].map((failure) => JSON.stringify({ failure })));
  });

  it('are passed on while the run goes on, without a line that is not complete', async () => {
    const report = join(temporaryFolder(), 'tests.json');
    const notes: string[] = [];
    let heard = (): void => {};
    const first = new Promise<void>((resolve) => (heard = resolve));
    const watch = watchFailures(report, (line) => {
      notes.push(line);
      heard();
    });
    writeFileSync(failuresFilePath(report), '{"a":1}\n{"b"');
    await first;
    expect(notes).toEqual(['{"a":1}']);
    appendFileSync(failuresFilePath(report), ':2}\n');
    watch.close();
    expect(notes).toEqual(['{"a":1}', '{"b":2}']);
  });

  it('do not stop a run that cannot write them, has no report, or fails with a huge message', () => {
    const report = join(temporaryFolder(), 'tests.json');
    mkdirSync(failuresFilePath(report));
    createFailureNote(report)({ failure: 1 });
    createFailureNote('')({ failure: 1 });
    const cyclic: { self?: object } = {};
    cyclic.self = cyclic;
    createFailureNote(report)(cyclic);
    const other = join(temporaryFolder(), 'tests.json');
    createFailureNote(other)({ message: 'x'.repeat(200_000) });
    expect(notesBeside(other)).toEqual([]);
  });

  test.each<[string, (file: string, text: string) => void, number]>([
    ['a plain file is read', (file, text) => writeFileSync(file, text), 1],
    [
      'a link is not followed',
      (file, text) => {
        const secret = join(temporaryFolder(), 'secret');
        writeFileSync(secret, text);
        symlinkSync(secret, file);
      },
      0,
    ],
    ['a pipe does not block', (file) => execFileSync('mkfifo', [file]), 0],
    ['a folder is ignored', (file) => mkdirSync(file), 0],
  ])('where the tested code replaced the file: %s', (_, replace, count) => {
    const report = join(temporaryFolder(), 'tests.json');
    replace(failuresFilePath(report), '{"a":1}\n');
    expect(notesBeside(report)).toHaveLength(count);
  });

  it('ignores an error of the reader', () => {
    const report = join(temporaryFolder(), 'tests.json');
    writeFileSync(failuresFilePath(report), 'no JSON\n{}\n');
    const read: unknown[] = [];
    watchFailures(report, (line) => read.push(JSON.parse(line))).close();
    expect(read).toEqual([{}]);
  });
});
