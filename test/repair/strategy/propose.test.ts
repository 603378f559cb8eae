import { expect, test } from 'vitest';
import { proposeRanked } from '../../../src/repair/strategy/propose.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

test('a stopped search proposes no further edits: timers get their turn before each file', async () => {
  const root = temporaryFolder();
  const text = 'export const isLess = (a, b) => a <= b;\n';
  writeFiles(root, { 'a.test.js': '', 'a.js': text, 'b.js': text });
  const regions = [{ start: 0, end: text.length, weight: 1, line: 1 }];
  const suspects = ['a.js', 'b.js'].map((file) => ({ file, regions, weight: 1 }));
  const stop = new AbortController();
  const request = { root, testFile: 'a.test.js', suspects, diagnostics: [], limit: 100, signal: stop.signal };
  const filesOf = async (): Promise<string[]> => {
    const ranked = await proposeRanked(request);
    return [...new Set(ranked.map(({ candidate }) => candidate.edits[0]!.file))].sort();
  };
  expect(await filesOf()).toEqual(['a.js', 'b.js']);
  // As --max-time does: by a timer, which cannot fire while a file is read.
  setTimeout(() => stop.abort(), 0);
  expect(await filesOf()).not.toContain('b.js');
});
