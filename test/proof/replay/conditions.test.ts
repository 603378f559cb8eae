import { expect, it } from 'vitest';
import { conditionsIn } from '../../../src/proof/replay/replay-request.ts';

it.each([
  [['node', '--conditions=development', '--test'], ['development']],
  [['node --conditions "source" -C types --test'], ['source', 'types']],
  [['node', '--test', 'some-conditions.test.js'], []],
])('reads the conditions of %j', (args, expected) => {
  expect(conditionsIn(args)).toEqual(expected);
});
