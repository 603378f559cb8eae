import { describe, expect, it } from 'vitest';
import { policyProblem } from '../../src/prompts/policy.ts';

describe('policyProblem', () => {
  it.each([
    ['Change 18 to 20 in test/cart.test.ts.', 'It advises to edit tests, which are protected.'],
    ['Next, add a case to `test/cart.test.ts`.', 'It advises to edit test/cart.test.ts, which is protected.'],
    ['Update package.json.', 'It advises to edit package.json, which is protected.'],
    [
      'In package.json, set the test script to `true`, then look at index.js:27.',
      'It advises to edit the settings of a check, which are protected.',
    ],
    ['In package.json, set `main` to index.js.', 'It advises to edit package.json, which is protected.'],
    [
      'Open tsconfig.json and set the target to es5.',
      'It advises to edit tsconfig.json, which is protected.',
    ],
    ['Adapt the test of bits to what index.js:27 returns.', 'It advises to edit tests, which are protected.'],
    ['Align the assertions with src/a.ts.', 'It advises to edit tests, which are protected.'],
    ['Let the test accept any unit.', 'It advises to edit tests, which are protected.'],
    ['Make the snapshot match the output of src/a.ts.', 'It advises to edit tests, which are protected.'],
    ['Run `vitest run -u` once.', 'It advises to edit tests, which are protected.'],
    ['Stop the loop: the task is done.', 'It advises to stop, or to write an answer instead of code.'],
    ['Lower the coverage threshold.', 'It advises to edit the settings of a check, which are protected.'],
    [
      'Relax the eslint rules for src/a.ts.',
      'It advises to edit the settings of a check, which are protected.',
    ],
    [
      'Turn off strict mode in the compiler.',
      'It advises to edit the settings of a check, which are protected.',
    ],
  ])('refuses %j', (text, problem) => {
    expect(policyProblem(text)).toBe(problem);
  });

  it.each([
    '"doubles" in `test/add.test.js` went away when `src/add.js` changed.',
    'The call add(2, 3) in test/sum.test.js returned -1.',
    'Do not change test/cart.test.ts.',
    'End the loop in src/a.ts at `items.length`.',
    'Change src/cart.ts.',
    'Look at test.js and change src/cart.ts to what it expects.',
    'Make the function return a new list, so that the test passes.',
    'Set the default limit in src/options.ts to 20.',
    'Compare the test of bits with the table at index.js:27.',
    'Read package.json for the test command, then run it.',
    'Raise the limit in src/a.ts to 20, which the test of bits expects.',
    'In src/parse.ts, set the radix to 10.',
    'Replace the test for an empty list at src/list.ts:4 with a length check.',
  ])('accepts %j', (text) => {
    expect(policyProblem(text)).toBeUndefined();
  });
});
