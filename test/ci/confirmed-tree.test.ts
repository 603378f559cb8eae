import { expect, test } from 'vitest';
import { parseConfirmedTree, renderConfirmedTree } from '../../src/ci/confirmed-tree.ts';

const ID = 'a1'.repeat(20);

test.each([
  { id: ID, leftOut: [] },
  { id: ID, leftOut: [0, 2, 99] },
  { id: 'b'.repeat(64), leftOut: [7] },
  { id: ID, leftOut: [3], isUntried: true },
])('writes and reads a tree without the files at %j', (tree) => {
  expect(parseConfirmedTree(renderConfirmedTree(tree))).toEqual(tree);
});

test.each([
  '',
  ID.slice(1),
  ID.toUpperCase(),
  `${ID}.`,
  `${ID}.x`,
  `${ID}.-1`,
  `${ID}.01`,
  `${ID} 1`,
  `${ID}\n`,
  `${ID}-untried.1`,
  `${ID}-other`,
])('refuses %j', (text) => {
  expect(parseConfirmedTree(text)).toBeUndefined();
});
