import { expect, test } from 'vitest';
import { parseConfirmedTree, renderConfirmedTree, unrunIn } from '../../src/ci/confirmed-tree.ts';

const ID = 'a1'.repeat(20);

test.each([
  { id: ID, leftOut: [] },
  { id: ID, leftOut: [0, 2, 99] },
  { id: 'b'.repeat(64), leftOut: [7] },
  { id: ID, leftOut: [3], isUntried: true },
  { id: ID, leftOut: [], unrun: [{ file: 0, first: 3, last: 5 }] },
  {
    ...{ id: ID, leftOut: [1], isUntried: true },
    unrun: [
      { file: 0, first: 3, last: 5 },
      { file: 2, first: 7, last: 7 },
    ],
  },
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
  `${ID}-unrun`,
  `${ID}-unrun.1_2`,
  `${ID}-unrun.1_2_x`,
])('refuses %j', (text) => {
  expect(parseConfirmedTree(text)).toBeUndefined();
});

test('lines that follow each other are one entry, and no more than twenty are written', () => {
  const lines = [7, 3, 4, 5].map((line) => ({ file: 'b.js', line }));
  expect(unrunIn(['a.js', 'b.js'], [...lines, { file: 'c.js', line: 1 }])).toEqual([
    { file: 1, first: 3, last: 5 },
    { file: 1, first: 7, last: 7 },
  ]);
  const unrun = Array.from({ length: 30 }, (_, at) => ({ file: 0, first: at * 2 + 1, last: at * 2 + 1 }));
  expect(parseConfirmedTree(renderConfirmedTree({ id: ID, leftOut: [], unrun }))!.unrun).toHaveLength(20);
});
