/** Table tests with thousands of named rows are read in a time that grows with the file, not with its square. */
import { expect, it } from 'vitest';
import { caseStrings } from '../../../src/repair/syntax/case-strings.ts';
import { stringsNear } from '../../../src/repair/syntax/literals.ts';
import { testedOptions } from '../../../src/repair/syntax/tested-options.ts';

const ROWS = 3000;
const CELLS = Array.from({ length: 30 }, (_, cell) => cell);
const TABLE = [
  'it.each([',
  ...Array.from(
    { length: ROWS },
    (_, row) => `  [${CELLS.map((cell) => `'row ${row}, ${cell}'`).join(', ')}],`,
  ),
  "])('%s', (name) => expect(parse(name, { strict: true })).toBe(1));",
].join('\n');
const lines = Array.from({ length: ROWS }, (_, row) => row + 2);
const names = Array.from({ length: ROWS }, (_, row) => `row ${row}, 0`);

function processorSeconds(run: () => unknown): number {
  run();
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1_000_000;
}

const READERS: readonly (readonly [string, () => unknown])[] = [
  ['options', () => testedOptions('a.test.js', TABLE, lines)],
  ['strings near failures', () => stringsNear('a.test.js', TABLE, lines)],
  [
    'strings of the cases, by lines',
    () => caseStrings('a.test.js', TABLE, { lines, quoted: [], titles: [] }),
  ],
  [
    'strings of the cases, by titles and quotes',
    () => caseStrings('a.test.js', TABLE, { lines: [], quoted: names, titles: names }),
  ],
];

it.each(READERS)('%s', (_what, read) => {
  expect(processorSeconds(read)).toBeLessThan(2);
});

it('finds the options and strings near each of the lines', () => {
  expect(testedOptions('a.test.js', TABLE, [ROWS + 20, 1])).toEqual([{ name: 'strict', isFunction: false }]);
  expect(testedOptions('a.test.js', TABLE, [ROWS + 23, 1])).toEqual([]);
  expect(stringsNear('a.test.js', TABLE, [700, 900]).slice(0, 2)).toEqual(['row 698, 0', 'row 698, 1']);
});
