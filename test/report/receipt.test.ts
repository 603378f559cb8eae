import { expect, test } from 'vitest';
import { renderReceipt } from '../../src/report/receipt.ts';
import type { CheckResult } from '../../src/schema/generated.ts';

function result(over: Partial<CheckResult>): CheckResult {
  return {
    ...{
      name: 'tests',
      kind: 'tests',
      tool: 'vitest',
      status: 'pass',
      passed: 0,
      failed: 0,
      skipped: 0,
      total: 0,
    },
    ...{ errors: 0, warnings: 0, weight: 0.5, score: 1, duration_ms: 0, exit_code: 0 },
    ...{ detail: '', command: '', output: '', ...over },
  };
}

test('renders the result and the share of every check', () => {
  const checks = [
    result({ status: 'fail', passed: 41, failed: 2, total: 43, score: 41 / 43 }),
    result({ name: 'types', kind: 'types', weight: 0.3 }),
    result({ name: 'lint', kind: 'lint', status: 'fail', errors: 1, score: 0, weight: 0.2 }),
  ];
  expect(renderReceipt({ checks, reward: 0.7767 })).toEqual([
    'tests   41/43 passed  0.50 × 0.953 = 0.477',
    'types   passed        0.30 × 1.000 = 0.300',
    'lint    1 error       0.20 × 0.000 = 0.000',
    'reward                0.777',
  ]);
});

test.each<[Partial<CheckResult>, string]>([
  [{ status: 'error', score: 0 }, 'could not run'],
  [{ status: 'skip', score: 0, weight: 0 }, 'skipped'],
  [{ kind: 'command' }, 'passed'],
  [{ kind: 'command', status: 'fail', score: 0 }, 'failed'],
])('a check that counts nothing is told by its state: %o', (over, text) => {
  expect(renderReceipt({ checks: [result(over)], reward: 0 })[0]).toContain(text);
});
