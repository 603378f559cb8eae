import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reachedSources } from '../../../src/repair/syntax/imports.ts';
import { moduleRegions, ochiai, suspectsOf, untracedSuspect } from '../../../src/repair/localise/localise.ts';
import { parseSource } from '../../../src/repair/syntax/parse.ts';
import { suspicionAt } from '../../../src/repair/localise/rank.ts';
import { isEditableSource } from '../../../src/repair/syntax/source-files.ts';
import { createRepo } from '../../support/repair-repo.ts';
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

describe('suspicion', () => {
  it('is highest where failing tests go and passing ones do not, and none where only passing ones go', () => {
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

  it('grows by its factor, and puts the file first', () => {
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

  it('tells lines with a factor from others even where only failing tests go, and stays within 1', () => {
    const suspects = suspectsOf(BOTH, [{ passed: false, hits: [1, 2] }], new Map([[2, 1.5]]));
    expect(suspects.map(({ file, weight }) => [file, weight])).toEqual([
      ['src/b.js', 1],
      ['src/a.js', 1 / 1.5],
    ]);
  });

  it('falls weakly on code outside functions, and not on functions that no trace names', () => {
    const text = 'const LIMIT = 3;\nexport function f() { return 1; }\n';
    const parsed = parseSource('a.js', text);
    if ('problem' in parsed) throw new Error(parsed.problem);
    const regions = moduleRegions(parsed);
    expect(suspicionAt(text.indexOf('3'), regions)).toBeGreaterThan(0);
    expect(suspicionAt(text.indexOf('1'), regions)).toBe(0);
  });

  it('falls evenly on a file that was not traced, the lines of the stack apart', () => {
    const text = 'one();\ntwo();\nthree();\n';
    const { regions } = untracedSuspect('src/b.js', text, { diagnostics: [FAILURE], weight: 0.2 });
    expect(['one', 'two', 'three'].map((word) => suspicionAt(text.indexOf(word), regions))).toEqual([
      0.2, 1, 0.2,
    ]);
    const told = untracedSuspect('src/c.js', text, {
      diagnostics: [FAILURE],
      weight: 0.2,
      factors: new Map([[3, 1.25]]),
    });
    expect(['one', 'two', 'three'].map((word) => suspicionAt(text.indexOf(word), told.regions))).toEqual([
      0.2, 0.2, 0.25,
    ]);
  });
});

describe('files that a test reaches', () => {
  it('are found through relative imports, aliases, the package itself and its workspace, nearest first', () => {
    const root = createRepo({
      'package.json': { name: 'subject', exports: { './self': './dist/self.js' } },
      'tsconfig.json': '{ /* paths */ "compilerOptions": { "paths": { "#lib/*": ["./lib/*"] }, }, }',
      'test/a.test.ts': `import { a } from '../src/a.js';\nimport '#lib/alias';\nimport 'subject/self';\nimport 'other';\nimport fs from 'node:fs';\n`,
      'src/a.ts': "export * from './deep';\nconst late = () => import('./late.mjs');\n",
      'src/deep/index.ts': "const old = require('../old.cjs');\n",
      'src/late.mjs': '',
      'src/old.cjs': "require('./a');\n",
      'src/self.ts': '',
      'lib/alias.ts': '',
      'src/unused.ts': '',
      'packages/other/package.json': { name: 'other', main: 'dist/index.js' },
      'packages/other/src/index.ts': '',
    });
    symlinkSync(join(root, 'packages/other'), join(root, 'node_modules/other'));
    expect(reachedSources(root, 'test/a.test.ts')).toEqual([
      { file: 'src/a.ts', depth: 1 },
      { file: 'lib/alias.ts', depth: 1 },
      { file: 'src/self.ts', depth: 1 },
      { file: 'packages/other/src/index.ts', depth: 1 },
      { file: 'src/deep/index.ts', depth: 2 },
      { file: 'src/late.mjs', depth: 2 },
      { file: 'src/old.cjs', depth: 3 },
    ]);
  });

  it.each([
    ['src/cart.ts', true],
    ['index.js', true],
    ['src/latest.js', true],
    ['src/cart.test.ts', false],
    ['test/helper.js', false],
    ['src/__tests__/cart.js', false],
    ['vitest.config.ts', false],
    ['.eslintrc.cjs', false],
    ['dist/cart.js', false],
    ['node_modules/a/index.js', false],
    ['src/types.d.ts', false],
    ['src/lib.min.js', false],
    ['src/data.json', false],
  ])('count as editable by their names: %s is %s', (file, expected) => {
    expect(isEditableSource(file)).toBe(expected);
  });
});
