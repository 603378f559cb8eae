import { expect, test } from 'vitest';
import { createHabits } from '../../../src/repair/habits/habits.ts';
import { proposeRanked, type RankedCandidate } from '../../../src/repair/strategy/propose.ts';
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

test('habits of the repository change the order of the edits, and neither which there are nor their scores', async () => {
  const root = temporaryFolder();
  const text = 'export const sizeOf = (box, cup) => box.length + cup.length;\n';
  const other = 'export const areaOf = (box) => box.width * box.size + other.size;\n';
  writeFiles(root, { 'a.test.js': '', 'a.js': text, 'b.js': other });
  const regions = [{ start: 0, end: text.length, weight: 1, line: 1 }];
  const suspects = [{ file: 'a.js', regions, weight: 1 }];
  const request = { root, testFile: 'a.test.js', suspects, diagnostics: [], limit: 5000 };
  const plain = await proposeRanked(request);
  const changes = [{ before: 'a.length + b', after: 'a.length * b' }];
  const told = await proposeRanked({
    ...request,
    habits: createHabits([{ file: 'b.js', text: other }], changes),
  });
  const scoresOf = (ranked: readonly RankedCandidate[]): Map<string, number> =>
    new Map(ranked.map(({ candidate, score }) => [candidate.signature, score]));
  expect(scoresOf(told)).toEqual(scoresOf(plain));
  const placeOf = (ranked: readonly RankedCandidate[]): number =>
    ranked.findIndex(({ candidate }) => candidate.signature.includes('box.length * cup.length @'));
  expect(placeOf(told)).toBeGreaterThanOrEqual(0);
  expect(placeOf(told)).toBeLessThan(placeOf(plain));
  for (const { order, score } of plain) expect(order).toBe(score);
});
