import { expect, it } from 'vitest';
import { describeFailures } from '../../src/loop/describe-end.ts';
import { withFailedCheck } from '../../src/proof/rejected-evaluation.ts';
import { evaluation, failure } from '../support/scripted.ts';

it('counts a test that did not run once', () => {
  const judged = evaluation(6, 8, { diagnostics: [failure(0)], missing_tests: ['dbl(3) is 9'] });
  expect(describeFailures(judged)).toMatch(
    /^Still red: tests: 1 of 7 failed \(.*\); 1 baseline test did not run \(dbl\(3\) is 9\)\.$/,
  );
  expect(describeFailures({ ...judged, missing_tests: [] })).toContain('tests: 2 of 8 failed');
});

it('says what a check of ralph asks for, not its name twice', () => {
  const message = 'pick of src/a.js returns one list for several calls.';
  const judged = withFailedCheck(evaluation(8, 8), 'criteria', { message, root: '/r' });
  expect(describeFailures(judged)).toBe(
    'Still red: criteria: 1 error (pick of src/a.js returns one list for several calls).',
  );
});
