import { describe, expect, it } from 'vitest';
import { isEditableSource } from '../../../src/repair/syntax/source-files.ts';

describe('isEditableSource', () => {
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
  ])('is decided by the name: %s → %s', (file, expected) => {
    expect(isEditableSource(file)).toBe(expected);
  });
});
