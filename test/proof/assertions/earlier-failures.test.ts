import { expect, it } from 'vitest';
import { findEarlierFailures } from '../../../src/proof/assertions/earlier-failures.ts';
import type { Diagnostic } from '../../../src/schema/generated.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const HEAD = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";

/** What is found where the test `works` failed at one text of its body, and fails at another one now. */
function found(body: string, then: string, now: string, values: Partial<Diagnostic> = {}): readonly string[] {
  const root = temporaryFolder();
  const source = `${HEAD}test('works', async () => {\n${body}\n});\n`;
  writeFiles(root, { 'test/a.test.js': source });
  const failure = (text: string): Diagnostic => {
    const before = source.slice(0, source.indexOf(text)).split('\n');
    return {
      ...{ type: 'test_failure', severity: 'error', check: 'tests', test_id: 'a > works', message: '' },
      ...{ fingerprint: text, file: 'test/a.test.js', expected: '1', received: '2' },
      line: before.length,
      column: before.at(-1)!.length + 1,
    };
  };
  return findEarlierFailures(root, {
    before: { diagnostics: [failure(then)] },
    now: { diagnostics: [{ ...failure(now), ...values }] },
  });
}

const [A, B] = ['assert.equal(a, 1);', 'assert.equal(b, 1);'];

it('finds a test that fails in front of where it failed before', () => {
  expect(found(`${A}\n${B}`, B, A)).toEqual(['a > works']);
  expect(found(`${A} ${B}`, B, A)).toEqual(['a > works']);
  expect(found(`const a = make();\n${A}\nawait wait();\n${B}`, B, A)).toEqual(['a > works']);
});

it.each([
  ['fails later', `${A}\n${B}`, A, B],
  ['fails in the same place', `${A}\n${B}`, A, A],
  ['has both in a loop', `for (const a of all) {\n${A}\n${B}\n}`, B, A],
  ['has the later one in a loop', `${A}\nfor (const b of all) {\n${B}\n}`, B, A],
  ['has the earlier one in a callback', `all.forEach((a) => { ${A} });\n${B}`, B, A],
])('finds none that %s', (_, body, then, now) => {
  expect(found(body, then, now)).toEqual([]);
});

it('leaves errors that are no comparison', () => {
  expect(found(`${A}\n${B}`, B, A, { expected: undefined })).toEqual([]);
});
