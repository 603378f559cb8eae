import { describe, expect, it } from 'vitest';
import { readPastChanges } from '../../src/workspace/past-changes.ts';
import { commitAll, fingerprintOf, repositoryWith, writeFiles } from '../support/repositories.ts';

const lines = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 30 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join('');

describe('readPastChanges', () => {
  it('finds the small changes of all commits, newest first, and none that is large, new or uncommitted', async () => {
    const root = repositoryWith({ 'src/a.ts': lines(), 'notes.md': 'a\n' });
    writeFiles(root, { 'src/a.ts': lines({ 3: '- a\n+ b', 20: 'twenty' }), 'notes.md': 'b\n' });
    commitAll(root);
    writeFiles(root, { 'src/a.ts': lines({ 3: '- a\n+ b' }), 'src/b.js': lines(), 'src/c.mjs': 'c\n' });
    commitAll(root);
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [index + 1, 'many']));
    writeFiles(root, { 'src/b.js': lines({ ...many, 25: '' }).replace('\n\n', '\n'), 'src/c.mjs': 'd\n' });
    commitAll(root);
    writeFiles(root, { 'src/a.ts': lines() });
    const before = fingerprintOf(root);
    expect(await readPastChanges(root)).toEqual([
      { before: 'line 25', after: '' },
      { before: 'c', after: 'd' },
      { before: 'twenty', after: 'line 20' },
      { before: 'line 3', after: '- a\n+ b' },
      { before: 'line 20', after: 'twenty' },
    ]);
    expect(fingerprintOf(root)).toBe(before);
  });

  it('reads the history up to a revision', async () => {
    const root = repositoryWith({ 'a.js': 'a\n' });
    writeFiles(root, { 'a.js': 'b\n' });
    commitAll(root);
    writeFiles(root, { 'a.js': 'c\n' });
    commitAll(root);
    expect(await readPastChanges(root, 'HEAD^')).toEqual([{ before: 'a', after: 'b' }]);
  });

  it('learns nothing from a commit that changes something everywhere', async () => {
    const everywhere = (text: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`src/f${index}.js`, `${text}\n`]));
    const root = repositoryWith(everywhere('var a'));
    writeFiles(root, everywhere('let a'));
    commitAll(root);
    expect(await readPastChanges(root)).toEqual([]);
  });

  it('finds nothing without a history', async () => {
    expect(await readPastChanges('/')).toEqual([]);
  });
});
