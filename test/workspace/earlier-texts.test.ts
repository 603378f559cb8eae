import { describe, expect, it } from 'vitest';
import { readEarlierTexts } from '../../src/workspace/earlier-texts.ts';
import { commitAll, fingerprintOf, repositoryWith, writeFiles } from '../support/repositories.ts';

const lines = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 30 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join('');

describe('readEarlierTexts', () => {
  it('finds what the last three commits replaced, and nothing that is large, new or uncommitted', async () => {
    const root = repositoryWith({ 'src/a.ts': lines({ 3: 'too old' }) });
    writeFiles(root, { 'src/a.ts': lines() });
    commitAll(root);
    writeFiles(root, { 'src/a.ts': lines({ 10: 'second' }), 'src/new.ts': 'new\n' });
    commitAll(root);
    writeFiles(root, { 'src/b.ts': lines(), 'notes.md': 'a\n' });
    commitAll(root);
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [index + 1, 'many']));
    writeFiles(root, {
      'src/a.ts': lines({ 10: 'second', 20: '' }).replace('\n\n', '\n'),
      'src/b.ts': lines(many),
    });
    commitAll(root);
    writeFiles(root, { 'src/a.ts': lines({ 10: 'uncommitted' }) });
    const before = fingerprintOf(root);
    expect(await readEarlierTexts(root)).toEqual([
      {
        file: 'src/a.ts',
        before: 'line 18\nline 19\nline 21\nline 22',
        after: 'line 18\nline 19\nline 20\nline 21\nline 22',
      },
      {
        file: 'src/a.ts',
        before: 'line 8\nline 9\nsecond\nline 11\nline 12',
        after: 'line 8\nline 9\nline 10\nline 11\nline 12',
      },
    ]);
    expect(fingerprintOf(root)).toBe(before);
  });

  it('finds nothing without a history', async () => {
    expect(await readEarlierTexts('/')).toEqual([]);
  });
});
