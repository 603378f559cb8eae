import { expect, it } from 'vitest';
import { editDistance } from '../../../src/platform/text/edit-distance.ts';

it.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['total', 'total', 0],
  ['total', 'totals', 1],
  ['quantitiy', 'quantity', 1],
  ['kitten', 'sitting', 3],
])('counts the edits from %j to %j', (a, b, edits) => {
  expect(editDistance(a, b)).toBe(edits);
  expect(editDistance(b, a)).toBe(edits);
});

it('counts two neighbours that changed places as one edit', () => {
  expect(editDistance('lenght', 'length')).toBe(1);
});
