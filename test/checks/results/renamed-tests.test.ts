import { describe, expect, it } from 'vitest';
import { withoutRenamed } from '../../../src/checks/results/renamed-tests.ts';
import type { TestCase } from '../../../src/schema/generated.ts';

const named = (...names: string[]): TestCase[] =>
  names.map((name) => ({ id: `a.test.js > ${name}`, name, file: 'a.test.js', status: 'passed' }));
const ANY = { mayChange: () => true, mayVanish: () => false };
const NAMED = { mayChange: () => true, mayVanish: () => true };
const inFile = (file: string, tests: TestCase[]): TestCase[] =>
  tests.map((test) => ({ ...test, id: `${file} > ${test.name}`, file }));
const ids = (tests: readonly TestCase[]): string[] => tests.map(({ name }) => name);

describe('a renamed test', () => {
  it('is not required where its file may be changed and has as many tests as before', () => {
    expect(ids(withoutRenamed(named('a', 'b'), named('a', 'c'), ANY))).toEqual(['a']);
  });

  it('is required where its file may not be changed, or has fewer tests', () => {
    expect(ids(withoutRenamed(named('a', 'b'), named('a', 'c')))).toEqual(['a', 'b']);
    expect(ids(withoutRenamed(named('a', 'b'), named('c'), ANY))).toEqual(['a', 'b']);
    const skipped = named('a', 'c').map((test): TestCase => ({ ...test, status: 'skipped' }));
    expect(ids(withoutRenamed(named('a', 'b'), skipped, ANY))).toEqual(['a', 'b']);
  });
});

describe('a test of a file that is gone', () => {
  it('is not required if it passes under its name in a new file', () => {
    const moved = inFile('b.test.js', named('a'));
    expect(ids(withoutRenamed(named('a', 'b'), moved, ANY))).toEqual(['b']);
    expect(ids(withoutRenamed(named('a', 'b'), moved))).toEqual(['a', 'b']);
  });

  it('is required if only a file of the baseline has one of its name', () => {
    const other = inFile('b.test.js', named('a'));
    expect(ids(withoutRenamed([...named('a'), ...other], other, ANY))).toEqual(['a', 'a']);
  });

  it('is not required if the user names the file and all of its tests passed', () => {
    expect(ids(withoutRenamed(named('a', 'b'), [], NAMED))).toEqual([]);
    expect(ids(withoutRenamed(named('a', 'b'), [], ANY))).toEqual(['a', 'b']);
    const failed = named('b').map((test): TestCase => ({ ...test, status: 'failed' }));
    expect(ids(withoutRenamed([...named('a'), ...failed], [], NAMED))).toEqual(['a', 'b']);
  });
});
