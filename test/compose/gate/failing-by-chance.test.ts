import { expect, it } from 'vitest';
import { withFailingByChance } from '../../../src/compose/gate/failing-by-chance.ts';
import type { Evaluation } from '../../../src/schema/generated.ts';

const CHANCE = 'boom (passed when run again, and failed after that: chance or time may decide)\nmore';

function evaluationOf(status: 'passed' | 'failed', message = 'boom'): Evaluation {
  const failed = status === 'failed';
  return {
    passed: !failed,
    checks: [{ name: 'tests', status: failed ? 'fail' : 'pass' }],
    tests: [{ id: 'a', name: 'a', status }],
    diagnostics: failed ? [{ test_id: 'a', check: 'tests', message }] : [],
  } as unknown as Evaluation;
}

/** How often the start ran, and the result of the test in the baseline that is found. */
async function foundIn(message: string, start: readonly ('passed' | 'failed')[]) {
  const left = [...start];
  let runs = 0;
  const found = await withFailingByChance({
    baseline: evaluationOf('passed'),
    evaluation: evaluationOf('failed', message),
    again: () => {
      runs++;
      return Promise.resolve(evaluationOf(left.shift() ?? 'passed'));
    },
  });
  return { runs, ids: found?.ids, baseline: found?.baseline };
}

it('a test that chance decides, and that fails in a further run of the start, was red there', async () => {
  const { runs, ids, baseline } = await foundIn(CHANCE, ['passed', 'failed']);
  expect({ runs, ids }).toEqual({ runs: 2, ids: ['a'] });
  expect(baseline).toEqual({ ...evaluationOf('failed') });
});

it('one that passes in every run of the start was broken', async () => {
  expect(await foundIn(CHANCE, [])).toEqual({ runs: 5, ids: undefined, baseline: undefined });
});

it('one that fails in every run of the tree costs no run', async () => {
  expect(await foundIn('boom', ['failed'])).toEqual({ runs: 0, ids: undefined, baseline: undefined });
});
