import { expect, it } from 'vitest';
import { instrumentForTrace } from '../../../src/repair/localise/trace.ts';
import { executesLine } from '../../../src/repair/observe/executed-lines.ts';
import { parseSource, type ParsedSource } from '../../../src/repair/syntax/parse.ts';

const TEXT = `// a note
export const LIMIT = 24;

export function used(
  hours = LIMIT,
) {
  // inside
  return hours;
}
export function unused(n) { return n + 1; }
export const list = [
  1,
  // nothing
  2,
];
`;

/** Whether a run that reached only \`return hours\` executed the line. */
function executes(line: number, isLoaded = true): boolean {
  const parsed = parseSource('src/a.js', TEXT) as ParsedSource;
  const { statements } = instrumentForTrace(parsed, 0);
  const hits = new Set(statements.filter((one) => one.line === 8).map(({ id }) => id));
  return executesLine([{ file: 'src/a.js', line }], { parsed: isLoaded ? [parsed] : [], statements, hits });
}

it.each([
  [1, false],
  [2, true],
  [3, false],
  [5, true],
  [7, false],
  [8, true],
  [10, false],
  [12, true],
  [13, false],
])('tells whether a run executed line %i: %s', (line, expected) => {
  expect(executes(line)).toBe(expected);
});

it('of a file that the test does not import no line is executed', () => {
  expect(executes(2, false)).toBe(false);
});
