import { expect, it } from 'vitest';
import { describeSamples } from '../../../src/loop/samples/describe-samples.ts';
import { toSample } from '../../../src/loop/samples/to-sample.ts';
import type { Diagnostic } from '../../../src/schema/generated.ts';
import { failure } from '../../agents/reflectors/scenario.ts';

const told = (diagnostics: readonly Diagnostic[]): string =>
  describeSamples([
    toSample(
      {
        ...{ number: 1, trajectory: { outcome: 'claimed_done' } },
        evaluation: { reward: 0.5, passed: false, diagnostics },
        changes: { files: [{ path: 'src/a.js' }], patch: '' },
      } as never,
      true,
    ),
  ]);

it.each([
  ['test/a.test.js > (file)', 'test/a.test.js', 'Unexpected token'],
  // A hook of the file failed, in a file that the test uses.
  ['test/a.test.js > (file)', 'src/store.js', 'The store is closed'],
  ['test/a.test.js > (file) #2', 'test/a.test.js', 'The store is closed'],
])('names the test file and the error of %s, which is no test', (test_id, file, message) => {
  const broken = failure({ check: 'tests', rule: '(file)', file, test_id, message });
  expect(told([broken])).toContain(`left one failure: test/a.test.js: ${message}.`);
});

it('names the check of an error outside of all files', () => {
  const broken = failure({ check: 'tests', rule: '(file)', test_id: '(file)', message: 'It ended' });
  expect(told([broken])).toContain('left one failure: tests: It ended.');
});

it('names a failing test', () => {
  expect(told([failure({ rule: 'adds', test_id: 'test/a.test.js > adds' })])).toContain(
    'left one failure: test/a.test.js > adds.',
  );
});
