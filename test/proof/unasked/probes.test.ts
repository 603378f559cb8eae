import { expect, it } from 'vitest';
import { keepsMark, neutralises } from '../../../src/proof/unasked/probes.ts';

const result = (between: string): string => JSON.stringify(`qz${between}zq`);

it.each([
  ['&', '&amp;', true],
  ['&', '', true],
  ['"', '\\"', true],
  ["'", "''", true],
  ['&', '&', false],
  ['&', '-&', false],
  ['&', '_&_', false],
  ['-', '-', false],
  ['-', '', true],
])('%j in a text as %j is neutralised: %s', (mark, between, isNeutral) => {
  expect(neutralises(result(between), mark)).toBe(isNeutral);
});

it('keeps a mark that is written as it is', () => {
  expect(keepsMark(result('&'), '&')).toBe(true);
  expect(keepsMark(result('&amp;'), '&')).toBe(false);
});
