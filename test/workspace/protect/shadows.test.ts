import { expect, test } from 'vitest';
import { shadowsOf } from '../../../src/workspace/protect/shadows.ts';

const isShadow = shadowsOf(['test/golden.json', 'test/helper.ts', 'test/cart.test.js']);

test.each([
  'test/golden.js',
  'test/helper.js',
  'test/helper.json',
  'test/helper/index.js',
  'test/helper/package.json',
])('%s could be loaded in place of a guarded file', (path) => {
  expect(isShadow(path)).toBe(true);
});

test.each([
  'test/helper.ts',
  'test/other.js',
  'src/helper.js',
  'test/helper.md',
  'test/cart.test.ts',
  'test/index.js',
])('%s could not', (path) => {
  expect(isShadow(path)).toBe(false);
});
