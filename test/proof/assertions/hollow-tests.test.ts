import { expect, test } from 'vitest';
import { findHollowTests } from '../../../src/proof/assertions/hollow-tests.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const HEAD =
  "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { sub } from '../src/sub.js';\n";

function found(
  body: string,
  command = 'node --test test/sub.test.js',
  added = ['test/sub.test.js'],
): string | undefined {
  const root = temporaryFolder();
  writeFiles(root, { 'test/sub.test.js': HEAD + body });
  return findHollowTests(root, { command, packageDir: '.' }, added);
}

test.each([
  ['has no assertion', "test('sub', () => { sub(5, 3); });\n"],
  ['compares constants', "test('sub', () => { sub(5, 3); assert.equal(2, 2); });\n"],
  ['uses nothing that is imported from the repository', "test('sub', () => { assert.ok(true); });\n"],
])('names a new test file whose only test %s', (problem, body) => {
  expect(found(body)).toContain(problem);
});

test('has nothing to say about a test that asserts, about a file that was there, and about other commands', () => {
  const hollow = "test('sub', () => {});\n";
  expect(
    found("test('sub', () => { assert.equal(sub(5, 3), 2); });\n" + hollow.replace('sub', 'x')),
  ).toBeUndefined();
  expect(found(hollow, undefined, [])).toBeUndefined();
  expect(found(hollow, 'npm test')).toBeUndefined();
  expect(found(hollow, 'node --test ./test/sub.test.js')).toBeDefined();
});
