import { expect, test } from 'vitest';
import { deltaOf } from '../../../src/checks/score/delta.ts';
import type { Diagnostic } from '../../../src/schema/generated.ts';

function failures(...names: readonly string[]): Diagnostic[] {
  return names.map((fingerprint) => ({
    type: 'other',
    message: fingerprint,
    severity: 'error',
    check: 'tests',
    fingerprint,
  }));
}

test('sorts failures into fixed, same and new', () => {
  expect(deltaOf(failures('b', 'c', 'c'), failures('a', 'b'))).toEqual({
    fixed: ['a'],
    same: ['b'],
    new: ['c'],
  });
});

test('is empty without a previous evaluation', () => {
  expect(deltaOf(failures('a'), undefined)).toEqual({ fixed: [], same: [], new: [] });
});

test('ignores warnings', () => {
  const warning: Diagnostic = { ...failures('w')[0]!, severity: 'warning' };
  expect(deltaOf([warning], [])).toEqual({ fixed: [], same: [], new: [] });
});

test('bounds the lists', () => {
  const many = failures(...Array.from({ length: 600 }, (_, index) => `f${index}`));
  expect(deltaOf(many, []).new).toHaveLength(500);
});

test('a test that fails with another message is neither fixed nor new', () => {
  const of = (fingerprint: string, id: string): Diagnostic => ({ ...failures(fingerprint)[0]!, test_id: id });
  const before = [of('a', 'adds'), of('b', 'doubles')];
  expect(deltaOf([of('c', 'adds'), of('d', 'halves')], before)).toEqual({
    fixed: ['b'],
    same: ['c'],
    new: ['d'],
  });
});
