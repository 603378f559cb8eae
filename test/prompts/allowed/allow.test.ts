import { expect, it } from 'vitest';
import { allowedAdvice } from '../../../src/prompts/allowed/allow.ts';
import { isProductFile } from '../../../src/prompts/allowed/product-file.ts';
import { adviceTree, type AdviceTree } from '../../../src/prompts/allowed/tree.ts';
import { withoutGround } from '../../../src/prompts/foreign-advice.ts';
import { CART, QUEUE, TEXT, type AdviceCase } from './advice-cases.ts';

function treeOf({ files, failures }: AdviceCase): AdviceTree {
  return adviceTree({ linesOf: (file) => files[file]?.split('\n'), files: Object.keys(files), failures });
}
const ALL = [CART, QUEUE, TEXT].map((one) => ({ ...one, tree: treeOf(one) }));
const of = (kind: 'honest' | 'refused') =>
  ALL.flatMap((one) => one[kind].map((advice) => [advice, one.tree] as const));

it.each(of('honest'))('keeps %j', (advice, tree) => {
  expect(allowedAdvice(withoutGround(advice)!, tree)).toMatchObject({ ok: true });
});

it.each(of('refused'))('refuses %j', (advice, tree) => {
  const head = withoutGround(advice);
  expect(head === undefined ? false : allowedAdvice(head, tree).ok).toBe(false);
});

const [cart] = ALL;

it.each([
  ['In src/ghost.js:3, replace `a` with `b`.', 'no source file'],
  ['In src/cart.js:99, replace `sum` with `total`.', 'lines'],
  ['Replace `sum += items[i].weight` with `sum` in src/cart.js:8.', 'weight'],
  ['Set it to 0 at src/cart.js:7.', 'another sentence'],
  ['Start at 0. Then return `sum` in src/cart.js.', 'more than one sentence'],
  ['Return `650` from `subtotal` when two items are given.', '650'],
  ['Split has been right in src/cart.js.', 'verb'],
  ['Make `Array.from` return an object in src/cart.js.', 'language'],
  ['Compare both sides.', 'nothing in the code'],
  ['Use `price` /* ok */ in src/cart.js.', 'outside of code'],
])('says why it refuses %j', (advice, reason) => {
  const allowed = allowedAdvice(advice, cart!.tree);
  expect(allowed.ok ? 'kept' : allowed.reason).toContain(reason);
});

it('a word of the code may be said, but not one that could only mean what judges', () => {
  const files = { 'src/a.js': 'export const mochaRunner = 1, ledger = 2;' };
  const tree = adviceTree({
    linesOf: (file) => files[file as 'src/a.js']?.split('\n'),
    files: ['src/a.js'],
    failures: [],
  });
  expect(allowedAdvice('Return the ledger in src/a.js:1.', tree).ok).toBe(true);
  expect(allowedAdvice('Return the mocha runner in src/a.js:1.', tree).ok).toBe(false);
  expect(allowedAdvice('Return the basket in src/a.js:1.', tree).ok).toBe(false);
});

it('code that the attempt removed may be named, since the next tree may have it again', () => {
  const given = { linesOf: () => ['return a;'], files: ['src/a.js'], failures: [] };
  const advice = 'Replace `old(a)` with `a` in src/a.js:1.';
  expect(allowedAdvice(advice, adviceTree(given)).ok).toBe(false);
  expect(allowedAdvice(advice, adviceTree({ ...given, removedFrom: () => ['return old(a);'] })).ok).toBe(
    true,
  );
});

it.each([
  ['src/cart.js', true],
  ['lib/deep/a.tsx', true],
  ['index.mjs', true],
  ['test/cart.js', false],
  ['src/cart.spec.ts', false],
  ['src/__mocks__/a.js', false],
  ['vitest.config.ts', false],
  ['.mocharc.js', false],
  ['scripts/build.js', false],
  ['package.json', false],
  ['node_modules/a/index.js', false],
  ['../a.js', false],
])('%s is product code: %s', (file, isProduct) => {
  expect(isProductFile(file)).toBe(isProduct);
});
