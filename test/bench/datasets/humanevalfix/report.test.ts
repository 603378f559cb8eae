import { expect, it } from 'vitest';
import type { ProblemResult } from '../../../../bench/datasets/humanevalfix/repair.ts';
import { createReport, renderReport, renderResult } from '../../../../bench/datasets/humanevalfix/report.ts';

function resultOf(changes: Partial<ProblemResult>): ProblemResult {
  return {
    task_id: 'a',
    bug_type: 'value misuse',
    outcome: 'repaired',
    seconds: 2,
    tried: 10,
    tried_per_second: 5,
    edits: ['src/index.js: 1 → 2'],
    diff: '',
    confidence: 0.8,
    alternatives: 0,
    best_of_candidates: true,
    note: '',
    ...changes,
  };
}

const OPTIONS = {
  file: 'p.jsonl',
  visible: 'example',
  mode: 'in-process',
  budget_seconds: 60,
  jobs: 1,
} as const;
const RESULTS = [
  resultOf({ seconds: 1 }),
  resultOf({ seconds: 3 }),
  resultOf({ outcome: 'overfit', best_of_candidates: true, bug_type: 'excess logic' }),
  resultOf({ outcome: 'not found', best_of_candidates: false, seconds: 60 }),
  resultOf({ outcome: 'error', best_of_candidates: false, bug_type: 'excess logic' }),
];

it('createReport counts by bug type and in total', () => {
  const report = createReport(OPTIONS, RESULTS, 5);
  expect(report.by_bug_type['value misuse']).toMatchObject({
    problems: 3,
    repaired: 2,
    overfit: 0,
    not_found: 1,
    errors: 0,
    best_of_candidates: 2,
    median_seconds: 3,
    p90_seconds: 60,
  });
  expect(report.total).toMatchObject({
    problems: 5,
    repaired: 2,
    overfit: 1,
    errors: 1,
    best_of_candidates: 3,
  });
  expect(report.complete).toBe(true);
  expect(createReport(OPTIONS, RESULTS, 6).complete).toBe(false);
});

it('renderReport describes the mode and has a row per bug type with the total last', () => {
  const lines = renderReport(createReport(OPTIONS, RESULTS, 6));
  expect(lines[0]).toMatch(/in one process on a folder.*sees the example tests/);
  expect(lines[1]).toMatch(/60 s a problem, 1 at a time; node v.*stopped early/);
  expect(lines.slice(3, 6).map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
    ['excess logic', '2', '0', '0.0%'],
    ['value misuse', '3', '2', '66.7%'],
    ['total', '5', '2', '40.0%'],
  ]);
  expect(lines[6]).toMatch(
    /^right of claimed: 2 of 3 \(66\.7%\); tuning part \d of \d, reporting part \d of \d$/,
  );
  expect(lines[7]).toMatch(/^confidence from +claimed +right +precision +recall$/);
  expect(lines.at(-1)).toBe('1 problem could not be tried.');
});

it('renderResult returns one line', () => {
  expect(renderResult(resultOf({ note: 'two\nlines' }))).toBe(
    'a               repaired   2.0 s  10 tried, 5/s  confidence 0.80; src/index.js: 1 → 2; two lines',
  );
});
