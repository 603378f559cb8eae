import { expect, test } from 'vitest';
import { renderPlan } from '../../src/cli/plan-lines.ts';
import { checkPlan } from '../checks/scripted-check.ts';

test('a check is shown with its variables, as it can be typed, and with its share to three digits', () => {
  const env = { TZ: 'Europe/London', NODE_OPTIONS: '--no-warnings --trace-exit' };
  const check = checkPlan({
    args: ['a.test.js'],
    bin: 'node_modules/vitest/vitest.mjs',
    env,
    weight: 0.5 / 9,
  });
  const plan = { repository: '/x', packageDir: '.', notes: [], checks: [check] };
  expect(renderPlan({ ...plan, packageManager: { name: 'npm', installCommand: 'npm ci' } })).toEqual([
    'check     tests: vitest  a.test.js  (from test, weight 0.056)',
    `            runs: TZ=Europe/London NODE_OPTIONS='--no-warnings --trace-exit' node node_modules/vitest/vitest.mjs a.test.js`,
  ]);
});
