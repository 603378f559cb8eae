import { expect, test } from 'vitest';
import { isAboutTask } from '../../../src/loop/proof/about-task.ts';

const CRITERION = {
  id: 'C1',
  text: 'tests: 1 failing test passes',
  source: 'check' as const,
  red_before: true,
  green_after: false,
  tests: ['test/cart.test.js: sums the prices of addOns'],
};

test.each([
  ['Prices are wrong in the cart', true],
  ['Add add-ons to the total', true],
  ['Fix whatever is broken', true],
  ['Make CI green', true],
  ['Add a slugify function to src/text.js', false],
  ['Add the user to the page', false],
])('%s: %s', (task, is) => {
  expect(isAboutTask(task, CRITERION)).toBe(is);
});
