import { describe, expect, it } from 'vitest';
import { countChanges, failureMatrix, failureName } from '../../src/report/failure-matrix.ts';
import type { Evaluation } from '../../src/schema/generated.ts';
import { evaluation } from '../support/scripted.ts';
import { failingTest } from '../support/stored-loop.ts';

const seen = (...names: string[]): Evaluation =>
  evaluation(0, 0, { diagnostics: names.map((name) => failingTest(name)) });

describe('failureMatrix', () => {
  it('compares each attempt with the one that it started from', () => {
    const rows = failureMatrix(seen('a', 'b'), [
      { iteration: 1, startedFrom: 0, evaluation: seen('b') },
      { iteration: 2, startedFrom: 1, evaluation: seen('b', 'c') },
      { iteration: 3, startedFrom: 1, evaluation: seen() },
    ]);
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
    expect(countChanges(rows, 2)).toEqual({ fixed: 0, same: 1, new: 1 });
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
    const rows = failureMatrix(start, [{ iteration: 1, startedFrom: 0, evaluation: seen('c', 'd') }]);
    expect(countChanges(rows, 1)).toEqual({ fixed: 2, same: 1, new: 1 });
  });

  it('ignores attempts without an evaluation, and warnings', () => {
    const warned = evaluation(0, 0, { diagnostics: [failingTest('w', { severity: 'warning' })] });
    expect(failureMatrix(null, [{ iteration: 1, startedFrom: 0, evaluation: null }])).toEqual([]);
    expect(failureMatrix(warned, [])).toEqual([]);
  });
});
