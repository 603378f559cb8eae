import { describe, expect, it } from 'vitest';
import { parseUvu } from '../../../src/checks/parsers/uvu.ts';

/** The output of uvu 0.5.6 for two files, one with a named suite. */
const OUTPUT = `\u001B[1m\u001B[4ma.test.js\u001B[22m
• ✘ ✘   (1 / 3)

   FAIL  "two "quoted""
    Expected values to be deeply equal:  (equal)

        ··{
        --··"a":·1
        ++··"a":·2
        ··}

    at assert (file:///r/node_modules/uvu/assert/index.mjs:33:8)
    at Object.handler (file:///r/test/a.test.js:4:37)

   FAIL  "boom"
    Cannot read properties of null (reading 'x')

    at Object.handler (file:///r/test/a.test.js:6:27)

 group  ✘ •   (1 / 2)

   FAIL  group  "inside"
    own message  (is)

    at Object.handler (file:///r/test/a.test.js:9:28)


b.test.js
• •   (2 / 2)

  Total:     7
  Passed:    4
  Skipped:   1
  Duration:  6.91ms
`;

describe('parseUvu', () => {
  it('numbers the tests of each suite, with the name and place of each failure', () => {
    const report = parseUvu(OUTPUT)!;
    expect(report.tests.map(({ path, status }) => [path.join(' > '), status])).toEqual([
      ['a.test.js > test 1', 'passed'],
      ['a.test.js > test 2', 'failed'],
      ['a.test.js > test 3', 'failed'],
      ['a.test.js > group > test 1', 'failed'],
      ['a.test.js > group > test 2', 'passed'],
      ['b.test.js > test 1', 'passed'],
      ['b.test.js > test 2', 'passed'],
    ]);
    const errors = report.tests.flatMap((test) => test.errors);
    expect(errors.map(({ message }) => message)).toEqual([
      '"two "quoted"": Expected values to be deeply equal:  (equal)',
      `"boom": Cannot read properties of null (reading 'x')`,
      '"inside": own message  (is)',
    ]);
    expect(errors[1]).toMatchObject({ stack: expect.stringContaining('a.test.js:6:27') as string });
  });

  it('reads the output of one file, which names no file', () => {
    const text = '• •   (2 / 2)\n\n  Total:     2\n  Passed:    2\n  Skipped:   0\n  Duration:  1ms\n';
    expect(parseUvu(text)?.tests.map(({ path }) => path)).toEqual([['test 1'], ['test 2']]);
  });

  it.each([
    ['marks that do not add up', OUTPUT.replace('• •   (2 / 2)', '• logged\n•   (2 / 2)')],
    ['a failure that is counted as passed', OUTPUT.replace('• •   (2 / 2)', '• ✘   (2 / 2)')],
    ['other output', 'Total: 7\nPassed: 7\n'],
  ])('is undefined for %s', (_, text) => {
    expect(parseUvu(text)).toBeUndefined();
  });
});
