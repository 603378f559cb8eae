import { describe, expect, it } from 'vitest';
import { moduleRegions, ochiai, suspectsOf, untracedSuspect } from '../../../src/repair/localise/localise.ts';
import { parseSource } from '../../../src/repair/syntax/parse.ts';
import { suspicionAt } from '../../../src/repair/syntax/regions.ts';
import type { Diagnostic } from '../../../src/schema/generated.ts';

const FAILURE: Diagnostic = {
  type: 'test_failure',
  message: 'no',
  severity: 'error',
  check: 'tests',
  fingerprint: 'f',
  file: 'test/a.test.js',
  frames: [{ file: 'src/b.js', line: 2 }],
};

describe('suspectsOf and its regions', () => {
  it('gives the highest weight to statements that only failing tests reach, and none to those that only passing ones reach', () => {
    const weights = ochiai([
      { passed: false, hits: [1, 2] },
      { passed: true, hits: [2, 3] },
      { passed: true, hits: [3] },
    ]);
    expect([...weights]).toEqual([
      [1, 1],
      [2, 1 / Math.sqrt(2)],
    ]);
  });

  const BOTH = [
    { id: 1, file: 'src/a.js', start: 0, end: 9, line: 2 },
    { id: 2, file: 'src/b.js', start: 0, end: 9, line: 2 },
  ];

  it('multiplies weights by their factors and sorts files by weight', () => {
    const tests = [
      { passed: false, hits: [1, 2] },
      { passed: true, hits: [1, 2] },
      { passed: true, hits: [1, 2] },
    ];
    const suspects = suspectsOf(BOTH, tests, new Map([[2, 1.5]]));
    expect(suspects.map(({ file }) => file)).toEqual(['src/b.js', 'src/a.js']);
    expect(suspects[0]!.weight / suspects[1]!.weight).toBeCloseTo(1.5);
    expect(suspects[1]!.weight).toBeCloseTo(1 / Math.sqrt(3));
  });

  it('scales weights down to at most 1, so that factors still distinguish statements', () => {
    const suspects = suspectsOf(BOTH, [{ passed: false, hits: [1, 2] }], new Map([[2, 1.5]]));
    expect(suspects.map(({ file, weight }) => [file, weight])).toEqual([
      ['src/b.js', 1],
      ['src/a.js', 1 / 1.5],
    ]);
  });

  it('gives top-level code a low weight and untraced functions none', () => {
    const text = 'const LIMIT = 3;\nexport function f() { return 1; }\n';
    const parsed = parseSource('a.js', text);
    if ('problem' in parsed) throw new Error(parsed.problem);
    const regions = moduleRegions(parsed);
    expect(suspicionAt(text.indexOf('3'), regions)).toBeGreaterThan(0);
    expect(suspicionAt(text.indexOf('1'), regions)).toBe(0);
  });

  it('gives an untraced file an even weight, except for lines in stacks and lines with factors', () => {
    const text = 'one();\ntwo();\nthree();\n';
    const { regions } = untracedSuspect('src/b.js', text, { diagnostics: [FAILURE], weight: 0.2 });
    expect(['one', 'two', 'three'].map((word) => suspicionAt(text.indexOf(word), regions))).toEqual([
      0.2, 1, 0.2,
    ]);
    const withFactors = untracedSuspect('src/c.js', text, {
      diagnostics: [FAILURE],
      weight: 0.2,
      factors: new Map([[3, 1.25]]),
    });
    expect(
      ['one', 'two', 'three'].map((word) => suspicionAt(text.indexOf(word), withFactors.regions)),
    ).toEqual([0.2, 0.2, 0.25]);
  });
});
