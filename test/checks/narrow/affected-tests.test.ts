import { describe, expect, test } from 'vitest';
import { findAffectedTests } from '../../../src/checks/narrow/affected-tests.ts';
import { temporaryFolder, writeFiles, type Files } from '../../support/repositories.ts';

const FILES: Files = {
  'src/money.ts': `export const cents = 100;`,
  'src/cart.ts': `import { cents } from './money.js'; export const cart = cents;`,
  'src/plain.ts': `export const plain = 1;`,
  'src/unused.ts': `export const unused = 1;`,
  'src/kinds.ts': `import type { cents } from './money.ts';`,
  'data.json': '{}',
  'test/money.test.ts': `import { cents } from '../src/money';`,
  'test/cart.test.ts': `import { cart } from '../src/cart.ts';`,
  'test/plain.test.ts': `import { plain } from '../src/plain.ts';`,
  'test/kinds.test.ts': `import '../src/kinds.ts';`,
  'test/program.test.ts': `import { execFile } from 'node:child_process';`,
  'test/reader.test.ts': `import { readFileSync } from 'node:fs';`,
  'test/any.test.ts': 'const it = await import(`../src/${name}.ts`);',
};
const TESTS = Object.keys(FILES).filter((file) => file.startsWith('test/'));

function affectedBy(
  changed: readonly string[],
  { shared = [], isStrict = false }: { shared?: string[]; isStrict?: boolean } = {},
): string[] | undefined {
  const root = temporaryFolder();
  writeFiles(root, FILES);
  return findAffectedTests({ root, changed, testFiles: TESTS, shared, isStrict });
}

describe('tests that a change may affect', () => {
  const open = ['test/program.test.ts', 'test/any.test.ts'];

  test('reach the changed file, start programs, or import what is not known before', () => {
    expect(affectedBy(['src/money.ts'])).toEqual(['test/money.test.ts', 'test/cart.test.ts', ...open]);
    expect(affectedBy(['src/plain.ts'])).toEqual(['test/plain.test.ts', ...open]);
    expect(affectedBy(['src/plain.ts', 'test/cart.test.ts'])).toEqual([
      'test/cart.test.ts',
      'test/plain.test.ts',
      ...open,
    ]);
  });

  test('are all tests where a file that every test loads reaches the change', () => {
    expect(affectedBy(['src/money.ts'], { shared: ['src/cart.ts'] })).toBeUndefined();
    expect(affectedBy(['src/money.ts'], { shared: ['src/plain.ts'] })).toHaveLength(4);
  });

  test('may read files where no run of all tests follows', () => {
    expect(affectedBy(['src/plain.ts'])).not.toContain('test/reader.test.ts');
    expect(affectedBy(['src/plain.ts'], { isStrict: true })).toContain('test/reader.test.ts');
    expect(affectedBy(['src/money.ts'])).not.toContain('test/kinds.test.ts');
    expect(affectedBy(['src/money.ts'], { isStrict: true })).toContain('test/kinds.test.ts');
  });

  test.each([['data.json'], ['package.json'], ['src/unused.ts'], ['src/gone.ts'], ['src/types.d.ts']])(
    'are all tests where %s has changed',
    (file) => {
      expect(affectedBy(['src/money.ts', file])).toBeUndefined();
    },
  );
});
