import { describe, expect, it } from 'vitest';
import { policyProblem } from '../../src/prompts/policy.ts';

describe('policyProblem', () => {
  it.each([
    ['Change 18 to 20 in test/cart.test.ts.', 'It advises to edit tests, which are protected.'],
    ['Next, add a case to `test/cart.test.ts`.', 'It advises to edit test/cart.test.ts, which is protected.'],
    ['Update package.json.', 'It advises to edit package.json, which is protected.'],
  ])('refuses %j', (text, problem) => {
    expect(policyProblem(text)).toBe(problem);
  });

  it.each([
    '"doubles" in `test/add.test.js` went away when `src/add.js` changed.',
    'The call add(2, 3) in test/sum.test.js returned -1.',
    'Do not change test/cart.test.ts.',
    'Change src/cart.ts.',
  ])('accepts %j', (text) => {
    expect(policyProblem(text)).toBeUndefined();
  });
});
