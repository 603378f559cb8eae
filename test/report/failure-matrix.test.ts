import { describe, expect, it } from 'vitest';
import { countChanges, failureMatrix, failureName } from '../../src/report/failure-matrix.ts';
import { deltaOf } from '../../src/schema/compare-failures.ts';
import type { Evaluation } from '../../src/schema/generated.ts';
import { evaluation } from '../support/scripted.ts';
import { failingTest } from '../support/stored-loop.ts';

const ALL = ['a', 'b', 'c', 'd'];
/** A run of four tests of which these fail. */
const seen = (...names: string[]): Evaluation =>
  evaluation(0, 1, {
    diagnostics: names.map((name) => failingTest(name)),
    tests: ALL.map((name) => ({
      ...{ id: failingTest(name).test_id!, name, file: 'test/cart.test.ts' },
      status: names.includes(name) ? 'failed' : 'passed',
    })),
  });

describe('failureMatrix', () => {
  it('compares each attempt with the one that it started from', () => {
    const start = seen('a', 'b');
    const attempts = [
      { iteration: 1, startedFrom: 0, evaluation: seen('b') },
      { iteration: 2, startedFrom: 1, evaluation: seen('b', 'c') },
      { iteration: 3, startedFrom: 1, evaluation: seen() },
    ];
    const rows = failureMatrix(start, attempts);
    const table = rows.map(({ diagnostic, inBaseline, changes }) => [
      failureName(diagnostic),
      inBaseline,
      ...[1, 2, 3].map((iteration) => changes.get(iteration) ?? '-'),
    ]);
    expect(table).toEqual([
      ['a', true, 'fixed', '-', '-'],
      ['b', true, 'same', 'same', 'fixed'],
      ['c', false, '-', 'new', '-'],
    ]);
    expect(countChanges(start, attempts, 2)).toEqual({ fixed: 0, same: 1, new: 1, unseen: 0, passing: 0 });
  });

  it('treats a test with another message as the same failure', () => {
    const other = evaluation(0, 0, {
      diagnostics: [failingTest('a', { fingerprint: 'ffffffffffff', message: 'otherwise' })],
    });
    const [row, ...rest] = failureMatrix(seen('a'), [{ iteration: 1, startedFrom: 0, evaluation: other }]);
    expect(rest).toEqual([]);
    expect(row!.fingerprints).toHaveLength(2);
    expect(row!.changes.get(1)).toBe('same');
  });

  it('matches the counts of the evaluator', () => {
    const start = seen('a', 'b', 'c');
    const after = seen('c', 'd');
    const { fixed, same, new: fresh } = deltaOf(after, start);
    const counts = countChanges(start, [{ iteration: 1, startedFrom: 0, evaluation: after }], 1);
    expect(counts).toEqual({
      fixed: fixed.length,
      same: same.length,
      new: fresh.length,
      unseen: 0,
      passing: 0,
    });
    expect(counts).toMatchObject({ fixed: 2, same: 1, new: 1 });
  });

  it('tells a test that did not run from one that was fixed', () => {
    const [start, { tests, ...after }] = [seen('a', 'b'), seen()];
    const evaluation = {
      ...after,
      passed: false,
      checks: [{ ...after.checks[0]!, status: 'fail' as const }],
    };
    const ran = tests.filter(({ name }) => name !== 'b');
    const rows = failureMatrix(start, [
      { iteration: 1, startedFrom: 0, evaluation: { ...evaluation, tests: ran } },
    ]);
    expect(rows.map(({ changes }) => changes.get(1))).toEqual(['fixed', 'unseen']);
  });

  it('ignores attempts without an evaluation, and warnings', () => {
    const warned = evaluation(0, 0, { diagnostics: [failingTest('w', { severity: 'warning' })] });
    expect(failureMatrix(null, [{ iteration: 1, startedFrom: 0, evaluation: null }])).toEqual([]);
    expect(failureMatrix(warned, [])).toEqual([]);
  });
});
