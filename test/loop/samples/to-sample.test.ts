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

it('names the error of a file that could not be run, which is no test', () => {
  const broken = failure({
    ...{ check: 'tests', rule: '(file)', file: 'test/a.test.js', test_id: 'test/a.test.js > (file)' },
    ...{ type: 'syntax_error', message: 'Unexpected token' },
  });
  expect(told([broken])).toContain('left one failure: test/a.test.js could not be run: Unexpected token.');
});

it('names a failing test', () => {
  expect(told([failure({ rule: 'adds', test_id: 'test/a.test.js > adds' })])).toContain(
    'left one failure: test/a.test.js > adds.',
  );
});
