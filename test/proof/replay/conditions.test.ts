import { expect, it } from 'vitest';
import { settingsChangeSurroundings } from '../../../src/proof/replay/ambient.ts';
import { conditionsIn } from '../../../src/proof/replay/replay-request.ts';

it.each([
  [['node', '--conditions=development', '--test'], ['development']],
  [['node --conditions "source" -C types --test'], ['source', 'types']],
  [['node', '--test', 'some-conditions.test.js'], []],
])('reads the conditions of %j', (args, expected) => {
  expect(conditionsIn(args)).toEqual(expected);
});

it('repeats calls under conditions, and not where modules are loaded before the tests', () => {
  expect(settingsChangeSurroundings('node --conditions=development --test')).toBe(false);
  expect(settingsChangeSurroundings('node -C development --test')).toBe(false);
  expect(settingsChangeSurroundings('node --import=./setup.js --test')).toBe(true);
  expect(settingsChangeSurroundings('mocha -r ./setup.js')).toBe(true);
});
