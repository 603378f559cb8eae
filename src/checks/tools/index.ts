import type { Check, CheckPlan } from '../../ports.ts';
import { createAvaCheck } from './ava.ts';
import { createCommandCheck } from './command.ts';
import { createEslintCheck } from './eslint.ts';
import { createJestCheck } from './jest.ts';
import { createMochaCheck } from './mocha.ts';
import { createNodeTestCheck } from './node-test.ts';
import { createTscCheck } from './tsc.ts';
import { createVitestCheck } from './vitest.ts';

/** One adapter for each tool that a plan can name. */
export const checks = {
  vitest: createVitestCheck,
  jest: createJestCheck,
  mocha: createMochaCheck,
  node: createNodeTestCheck,
  ava: createAvaCheck,
  tsc: createTscCheck,
  eslint: createEslintCheck,
  command: createCommandCheck,
} satisfies Record<CheckPlan['tool'], (plan: CheckPlan) => Check>;

/** The check that a plan describes. */
export function createCheck(plan: CheckPlan): Check {
  return checks[plan.tool](plan);
}
