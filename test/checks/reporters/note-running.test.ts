import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRunningNote, runningFilePath } from '../../../src/checks/reporters/note-running.ts';
import { temporaryFolder } from '../../support/repositories.ts';

describe('the note of running tests', () => {
  it('names the last ones, also where the names are shorter or have letters of several bytes', () => {
    const report = join(temporaryFolder(), 'tests.json');
    const note = createRunningNote(report);
    for (const name of ['a long name of a test', 'äöü', '', 'wörter', 'x'.repeat(9_000), 'b']) {
      note([{ file: '/a.js', name }]);
      expect(JSON.parse(readFileSync(runningFilePath(report), 'utf8'))).toEqual([{ file: '/a.js', name }]);
    }
    note([]);
    expect(JSON.parse(readFileSync(runningFilePath(report), 'utf8'))).toEqual([]);
  });

  it('is written over itself', () => {
    const report = join(temporaryFolder(), 'tests.json');
    const note = createRunningNote(report);
    note([{ name: 'a long name' }]);
    const { size } = statSync(runningFilePath(report));
    note([]);
    expect(statSync(runningFilePath(report)).size).toBe(size);
  });

  it('does not stop a run that cannot write it, or has no report', () => {
    const report = join(temporaryFolder(), 'tests.json');
    mkdirSync(runningFilePath(report));
    createRunningNote(report)([]);
    createRunningNote('')([]);
  });
});
