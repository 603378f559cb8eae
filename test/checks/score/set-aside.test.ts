import { describe, expect, it } from 'vitest';
import { keepSetAside, setAsideBroken, setAsideCorrected } from '../../../src/checks/score/set-aside.ts';
import type { ScoredReport } from '../../../src/checks/score/reward.ts';
import { summarise } from '../../../src/checks/score/evaluation.ts';
import type { Diagnostic, Evaluation } from '../../../src/schema/generated.ts';

function errorsOf(check: string, prints: readonly string[]): Diagnostic[] {
  return prints.map((fingerprint) => ({
    type: 'lint_error',
    check,
    severity: 'error',
    message: fingerprint,
    fingerprint,
  }));
}

function report(
  name: 'tests' | 'lint',
  status: ScoredReport['status'],
  prints: readonly string[] = [],
): ScoredReport {
  return {
    name,
    kind: name,
    tool: 'command',
    status,
    passed: 0,
    failed: 0,
    skipped: 0,
    total: 0,
    errors: prints.length,
    warnings: 0,
    duration_ms: 1,
    exit_code: 1,
    detail: 'Exit code 1.',
    command: 'x',
    output: '',
    diagnostics: errorsOf(name, prints),
    tests: [],
    score: status === 'pass' ? 1 : 0,
    missing: [],
  };
}

const prints = (count: number): string[] => Array.from({ length: count }, (_, at) => `print-${at}`);
const MANY = prints(100);

function evaluationOf(reports: readonly ScoredReport[]): Evaluation {
  const context = {
    weightOf: () => 1,
    baseline: undefined,
    previous: undefined,
    noRegressions: false,
    durationMs: 1,
  };
  return summarise(reports, context);
}

const statuses = (reports: readonly ScoredReport[]): string[] => reports.map(({ status }) => status);

describe('setAsideBroken', () => {
  it.each<[ScoredReport, boolean, string]>([
    [report('lint', 'fail', MANY), false, 'skip'],
    [report('lint', 'error'), false, 'skip'],
    [report('lint', 'fail', prints(99)), false, 'fail'],
    [report('lint', 'pass'), false, 'pass'],
  ])('beside a failing test: %#', (lint, always, expected) => {
    expect(statuses(setAsideBroken([report('tests', 'fail'), lint], always))).toEqual(['fail', expected]);
  });

  it('keeps the only failing check, unless there is a task', () => {
    const reports = [report('tests', 'pass'), report('lint', 'fail', MANY)];
    expect(statuses(setAsideBroken(reports, false))).toEqual(['pass', 'fail']);
    expect(statuses(setAsideBroken(reports, true))).toEqual(['pass', 'skip']);
    expect(statuses(setAsideBroken([report('lint', 'error')], true))).toEqual(['error']);
  });

  it('never sets tests aside', () => {
    const reports = [report('tests', 'error'), report('lint', 'fail', prints(1))];
    expect(statuses(setAsideBroken(reports, true))).toEqual(['error', 'fail']);
  });

  it('says why, and leaves no error to repair', () => {
    const [, lint] = setAsideBroken([report('tests', 'fail'), report('lint', 'fail', MANY)], false);
    expect(lint!.detail).toBe('lint is set aside, only new errors count: 100 errors before any change.');
    expect(lint!.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('setAsideCorrected', () => {
  it('skips a failing check whose script corrects what it finds, beside a check that is judged', () => {
    const reports = [report('tests', 'pass'), report('lint', 'fail', prints(1))];
    const [, lint] = setAsideCorrected(reports, new Set(['lint']));
    expect(lint).toMatchObject({
      status: 'skip',
      detail:
        'lint is set aside, only new errors count: its script corrects files by itself; 1 error before any change.',
    });
    expect(statuses(setAsideCorrected(reports, new Set()))).toEqual(['pass', 'fail']);
    expect(statuses(setAsideCorrected(reports.slice(1), new Set(['lint'])))).toEqual(['fail']);
  });
});

describe('keepSetAside', () => {
  const baseline = evaluationOf(
    setAsideBroken([report('tests', 'fail'), report('lint', 'fail', MANY)], false),
  );

  it.each<[string, readonly string[], string]>([
    ['the same errors', MANY, 'skip'],
    ['fewer errors', prints(3), 'skip'],
    ['one error more', [...MANY, 'new'], 'fail'],
    ['another error in place of one', [...prints(99), 'new'], 'fail'],
    ['a known error once more', [...prints(99), 'print-0'], 'fail'],
  ])('with %s', (_, found, expected) => {
    const [, lint] = keepSetAside([report('tests', 'pass'), report('lint', 'fail', found)], baseline);
    expect(lint!.status).toBe(expected);
  });

  it('counts new errors where not all of the baseline are stored', () => {
    const many = evaluationOf(
      setAsideBroken([report('tests', 'fail'), report('lint', 'fail', prints(700))], false),
    );
    const later = (count: number) => keepSetAside([report('lint', 'fail', prints(count))], many)[0]!.status;
    expect([later(700), later(701)]).toEqual(['skip', 'fail']);
  });

  it('does not hide a check that cannot run any more', () => {
    expect(keepSetAside([report('lint', 'error')], baseline)[0]!.status).toBe('error');
    const broken = evaluationOf(setAsideBroken([report('tests', 'fail'), report('lint', 'error')], false));
    expect(keepSetAside([report('lint', 'error')], broken)[0]!.status).toBe('skip');
  });

  it('lets a check pass, and does not touch one that the baseline counts', () => {
    expect(keepSetAside([report('lint', 'pass')], baseline)[0]!.status).toBe('pass');
    const counted = evaluationOf([report('tests', 'fail'), report('lint', 'pass')]);
    expect(keepSetAside([report('lint', 'error')], counted)[0]!.status).toBe('error');
  });
});
