import { expect, test } from 'vitest';
import { findUnrunTest } from '../../../src/proof/assertions/unrun-tests.ts';
import type { TestCase } from '../../../src/schema/generated.ts';
import { FILE_CASE } from '../../../src/schema/file-case.ts';

const testCase = (name: string, status: TestCase['status'], file = 'a.test.js'): TestCase => ({
  id: `${file} > ${name}`,
  name,
  file,
  status,
});
const UNLOADED = [testCase(FILE_CASE, 'failed')];
const NOW = [testCase('adds', 'passed'), testCase('halves', 'skipped')];
const PLAIN = "test('adds', () => {});\ntest('halves', () => {});\n";

test('names a test that is skipped in a file that did not load before', () => {
  expect(findUnrunTest(UNLOADED, NOW, () => PLAIN)).toContain('"halves" of a.test.js is skipped');
});

test.each([
  ['the file itself skips it', UNLOADED, PLAIN.replace("test('halves'", "test.skip('halves'")],
  ['the file loaded before', [testCase('adds', 'failed'), testCase('halves', 'skipped')], PLAIN],
  ['the file is new', [], PLAIN],
])('has nothing to name where %s', (_what, before, text) => {
  expect(findUnrunTest(before, NOW, () => text)).toBeUndefined();
});
