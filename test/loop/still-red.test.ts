import { expect, it } from 'vitest';
import { describeFailures } from '../../src/loop/describe-end.ts';
import { evaluation, failure } from '../support/scripted.ts';

it('counts a test that did not run once', () => {
  const judged = evaluation(6, 8, { diagnostics: [failure(0)], missing_tests: ['dbl(3) is 9'] });
  expect(describeFailures(judged)).toMatch(
    /^Still red: tests: 1 of 7 failed \(.*\); 1 baseline test did not run \(dbl\(3\) is 9\)\.$/,
  );
  expect(describeFailures({ ...judged, missing_tests: [] })).toContain('tests: 2 of 8 failed');
});
