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
  ['Prices are wrong in the cart', true, true],
  ['Add add-ons to the total', true, true],
  ['Fix whatever is broken', true, true],
  ['Make CI green', true, true],
  ['Add a slugify function to src/text.js', false, false],
  ['Add the user to the page', false, false],
  ['Add a page of the newest prices', false, true],
  ['Retry failed uploads in src/upload.js', false, true],
  ['Let the cart give the sum', true, true],
  ['Add summing of carts', true, true],
  ['Write src/slug.js, which sums prices', false, true],
  ['Sum the prices in src/cart.js', true, true],
  ['The login form is slow', false, true],
])('%s: listed %s, alone %s', (task, listed, alone) => {
  expect(isAboutTask(task, CRITERION, true)).toBe(listed);
  expect(isAboutTask(task, CRITERION, false)).toBe(alone);
});
