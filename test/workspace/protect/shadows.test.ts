import { expect, test } from 'vitest';
import { shadowsOf, twinsOfImported } from '../../../src/workspace/protect/shadows.ts';

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

type Store = Parameters<typeof twinsOfImported>[2];

/** The new files that are loaded in place of others, where a test imports this name. */
async function takenBy(added: string[], kept: string[], name: string): Promise<readonly string[]> {
  const file = { path: 'test/a.test.js', id: 'a', mode: '100644' };
  const store = {
    listFiles: () => Promise.resolve([file]),
    readBlobs: () => Promise.resolve(new Map([['a', Buffer.from(`const order = require('${name}');`)]])),
  } as unknown as Store;
  return twinsOfImported(
    { added, kept: [...kept, file.path] },
    '' as Parameters<typeof twinsOfImported>[1],
    store,
  );
}

test.each([
  ['examples/order.js', 'examples/order.json', '../examples/order'],
  ['examples/order', 'examples/order.json', '../examples/order'],
  ['examples/order.ts', 'examples/order.json', '@/examples/order'],
  ['examples/order.json', 'examples/order/index.js', '../examples/order'],
  ['examples/order/index.js', 'examples/order/index.json', '../examples/order'],
  ['examples/order.js', 'examples/order.node', '../examples/order'],
])('%s is loaded in place of %s by %s', async (added, kept, name) => {
  expect(await takenBy([added], [kept], name)).toEqual([added]);
});

test.each([
  ['examples/order.json', 'examples/order.js', '../examples/order'],
  ['examples/order.js', 'examples/order.json', '../examples/order.json'],
  ['examples/order.js', 'examples/order.json', '../other/order'],
  ['examples/order/index.json', 'examples/order.json', '../examples/order'],
  ['examples/order.md', 'examples/order.json', '../examples/order'],
  ['examples/orders.js', 'examples/order.json', '../examples/order'],
  ['examples/order.js', 'examples/order.json', '@examples/order'],
  ['examples/order.js', 'examples/order.css', '../examples/order'],
])('%s is not loaded in place of %s by %s', async (added, kept, name) => {
  expect(await takenBy([added], [kept], name)).toEqual([]);
});
