import { expect, test } from 'vitest';
import { deltaOf } from '../../src/schema/compare-failures.ts';
import type { Diagnostic, Evaluation } from '../../src/schema/generated.ts';
import { countChanges, renderCounts } from '../../src/report/failure-matrix.ts';
import { evaluation } from '../support/scripted.ts';

function failures(...names: readonly string[]): Diagnostic[] {
  return names.map((name) => ({
    ...{ type: 'test_failure', message: name, severity: 'error', check: 'tests' },
    ...{ fingerprint: name, test_id: name, rule: name },
  }));
}

/** A run of tests: those that failed, those that passed; others did not run. */
function run(failed: readonly string[], passed: readonly string[] = []): Evaluation {
  const tests = [
    ...failed.map((id) => [id, 'failed'] as const),
    ...passed.map((id) => [id, 'passed'] as const),
  ];
  return evaluation(passed.length, Math.max(1, tests.length), {
    passed: failed.length === 0,
    diagnostics: failures(...failed),
    tests: tests.map(([id, status]) => ({ id, name: id, status })),
  });
}

test('a test that passes is fixed, and one that did not run is not', () => {
  const before = run(['a', 'b', 'c']);
  const after = run(['c', 'd'], ['a']);
  expect(deltaOf(after, before)).toEqual({ fixed: ['a'], same: ['c'], new: ['d'], unseen: ['b'] });
});

test('after an error that ends the run nothing is fixed, in the line of the run and in the reports', () => {
  const before = run(['a', 'b', 'c']);
  const crash: Diagnostic = {
    ...{ type: 'syntax_error', message: 'Unexpected token', severity: 'error', check: 'tests' },
    ...{ fingerprint: 'crash', rule: '(file)', file: 'test/a.test.js' },
  };
  const after = evaluation(0, 1, { diagnostics: [crash] });
  expect(deltaOf(after, before).fixed).toEqual([]);
  const counts = countChanges(before, [{ iteration: 1, startedFrom: 0, evaluation: after }], 1);
  expect(counts).toEqual({ fixed: 0, same: 0, new: 1, unseen: 3, passing: 0 });
  expect(renderCounts(counts)).toBe('0 gone, 0 same, 1 new, 3 not reported again');
});

test('the same error of a tool counts once for each place', () => {
  const at = (line: number): Diagnostic => ({
    ...{ type: 'lint_error', message: 'x is unused', severity: 'error', check: 'lint' },
    ...{ rule: 'no-unused-vars', fingerprint: 'lint', file: 'src/s.js', line },
  });
  const of = (...lines: number[]): Evaluation => {
    const { checks, ...rest } = evaluation(0, 1, { diagnostics: lines.map(at) });
    return { ...rest, checks: [{ ...checks[0]!, name: 'lint', kind: 'lint' }] };
  };
  const delta = deltaOf(of(5), of(2, 5));
  expect([delta.fixed.length, delta.same.length]).toEqual([1, 1]);
  expect(deltaOf(of(2, 5), of(2, 5)).same).toHaveLength(2);
});

test('is empty without a previous evaluation, and its lists are bounded', () => {
  const none = { fixed: [], same: [], new: [], unseen: [] };
  expect(deltaOf(run(['a']), undefined)).toEqual(none);
  const many = Array.from({ length: 600 }, (_, index) => `f${index}`);
  expect(deltaOf(run(many), run([], ['a'])).new).toHaveLength(500);
});

test('the warnings of a tree that passes are no failures', () => {
  const warning: Diagnostic = { ...failures('w')[0]!, severity: 'warning' };
  const passing = { ...run([], ['a']), diagnostics: [warning] };
  expect(deltaOf(passing, run(['a']))).toEqual({ fixed: ['a'], same: [], new: [], unseen: [] });
});

test('a test that fails with another message is neither fixed nor new', () => {
  const other = run(['a']);
  const before = { ...other, diagnostics: [{ ...other.diagnostics[0]!, fingerprint: 'before' }] };
  expect(deltaOf(other, before)).toEqual({ fixed: [], same: ['a'], new: [], unseen: [] });
});
