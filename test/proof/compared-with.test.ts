import { expect, test } from 'vitest';
import { comparedWith } from '../../src/proof/compared-with.ts';
import { countChanges, renderCounts } from '../../src/report/failure-matrix.ts';
import { compareFailures } from '../../src/schema/compare-failures.ts';
import type { Diagnostic } from '../../src/schema/generated.ts';
import { temporaryFolder, writeFiles } from '../support/repositories.ts';
import { evaluation, failure } from '../support/scripted.ts';

const late: Diagnostic = { ...failure(1), test_id: 'late' };
const other: Diagnostic = { ...failure(2), test_id: 'other' };
const before = evaluation(0, 2, {
  diagnostics: [late, other],
  tests: [late, other].map(({ test_id: id }) => ({ id: id!, name: id!, status: 'failed' })),
});
const after = evaluation(1, 2, {
  diagnostics: [other],
  tests: [
    { id: 'late', name: 'late', status: 'passed' },
    { id: 'other', name: 'other', status: 'failed' },
  ],
});

/** The comparison after one line of a file has become another. */
function changing(from: string, to: string): ReturnType<typeof comparedWith> {
  const root = temporaryFolder();
  writeFiles(root, { 'src/fee.js': `${to}\n` });
  const patch = [
    ...['diff --git a/src/fee.js b/src/fee.js', '--- a/src/fee.js', '+++ b/src/fee.js', '@@ -1,1 +1,1 @@'],
    ...[`-${from}`, `+${to}`, ''],
  ].join('\n');
  return comparedWith({ previous: before, patch, root }, after);
}

test.each([
  ['const rate = 0.05;', 'const rate = 5 / 100;'],
  ['export const a = b * 2;', 'export const a = b * (2); // twice'],
  ['const a = b + 6;', 'const a = b + 2 * 3;'],
])('%s as %s fixes no test, in the line of the run and in the reports', (from, to) => {
  const delta = changing(from, to);
  expect(delta).toMatchObject({ fixed: [], passing: [late.fingerprint] });
  const evaluated = { ...after, delta };
  expect(compareFailures(before, evaluated)).toMatchObject({ fixed: [], passing: [late] });
  const counts = countChanges(before, [{ iteration: 1, startedFrom: 0, evaluation: evaluated }], 1);
  expect(renderCounts(counts)).toBe('0 gone, 1 same, 0 new, 1 passing with the code as it was');
});

test.each([
  ['const rate = 0.05;', 'const rate = 5 / 10;'],
  ['const a = b / 0.05;', 'const a = b / 5 / 100;'],
  ['const a = 2 ** 6;', 'const a = 2 ** 2 * 3;'],
  ['const a = b % 6;', 'const a = b % 2 * 3;'],
  ["const a = '6';", "const a = '2 * 3';"],
])('%s as %s may fix a test', (from, to) => {
  expect(changing(from, to)).toMatchObject({ fixed: [late.fingerprint] });
});
