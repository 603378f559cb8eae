import { describe, expect, it } from 'vitest';
import { withoutRenamed } from '../../../src/checks/results/renamed-tests.ts';
import type { TestCase } from '../../../src/schema/generated.ts';

const named = (...names: string[]): TestCase[] =>
  names.map((name) => ({ id: `a.test.js > ${name}`, name, file: 'a.test.js', status: 'passed' }));
const ids = (tests: readonly TestCase[]): string[] => tests.map(({ name }) => name);

describe('a renamed test', () => {
  it('is not required where its file may be changed and has as many tests as before', () => {
    expect(ids(withoutRenamed(named('a', 'b'), named('a', 'c'), () => true))).toEqual(['a']);
  });

  it('is required where its file may not be changed, or has fewer tests', () => {
    expect(ids(withoutRenamed(named('a', 'b'), named('a', 'c')))).toEqual(['a', 'b']);
    expect(ids(withoutRenamed(named('a', 'b'), named('c'), () => true))).toEqual(['a', 'b']);
    const skipped = named('a', 'c').map((test): TestCase => ({ ...test, status: 'skipped' }));
    expect(ids(withoutRenamed(named('a', 'b'), skipped, () => true))).toEqual(['a', 'b']);
  });
});
