import { expect, test } from 'vitest';
import { endedBefore } from '../../../src/checks/results/ended-before.ts';
import { UNFINISHED, withoutUnfinished } from '../../../src/checks/results/unfinished-tests.ts';
import type { CheckReport } from '../../../src/ports/evaluation.ts';
import type { TestCase } from '../../../src/schema/generated.ts';
import { temporaryFolder } from '../../support/repositories.ts';
import { testReport } from '../scripted-check.ts';

const root = temporaryFolder();

/** A report of `node --test`: two tests of a file did not end, and the file itself has this status. */
function reportWith(file: TestCase['status'], message = endedBefore('test')): CheckReport {
  const report = testReport({
    'a.test.js > (file)': file,
    'a.test.js > one': 'failed',
    'a.test.js > two': 'failed',
    'b.test.js > three': 'passed',
  });
  const diagnostics = report.diagnostics.map((it) => ({ ...it, message }));
  return { ...report, diagnostics };
}

function statusesIn({ tests }: CheckReport): string {
  return tests.map(({ status }) => status).join(' ');
}

test('unfinished tests of a file that counts as passed are skipped in an unchanged tree, and that is said', () => {
  const left = withoutUnfinished(reportWith('passed'), { root });
  expect(left).toMatchObject({ status: 'pass', passed: 2, failed: 0, skipped: 2, total: 2, errors: 0 });
  expect(statusesIn(left)).toBe('passed skipped skipped passed');
  expect(left.diagnostics).toMatchObject([
    {
      severity: 'warning',
      rule: UNFINISHED,
      message:
        '2 tests of a.test.js did not run to an end: the process ended before. The runner counts the file as passed, and they count as skipped.',
    },
  ]);
});

test.each<[string, CheckReport]>([
  ['whose file failed', reportWith('failed')],
  ['that failed in another way', reportWith('passed', 'expected 1 to be 2')],
])('tests %s stay red', (_, report) => {
  expect(withoutUnfinished(report, { root })).toBe(report);
});

test('in a changed tree only tests that were skipped before are skipped', () => {
  const report = reportWith('passed');
  const ran = report.tests.map((it): TestCase => ({ ...it, status: 'passed' }));
  expect(withoutUnfinished(report, { root, baseline: ran })).toBe(report);
  expect(withoutUnfinished(report, { root, baseline: [] })).toBe(report);
  const [, one] = withoutUnfinished(report, { root }).tests;
  const partly = withoutUnfinished(report, { root, baseline: [one!] });
  expect(partly).toMatchObject({ status: 'fail', failed: 1, skipped: 1 });
  expect(statusesIn(partly)).toBe('passed skipped failed passed');
});
