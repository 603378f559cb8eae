import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSearchActor } from '../../src/repair/index.ts';
import type { Trajectory } from '../../src/schema/generated.ts';
import { validate } from '../../src/schema/validate.ts';
import { planFor } from '../support/checks.ts';
import { contextFor, createRepo, reflectionOf, TEST_HEAD, testsBy, textsOf } from '../support/repair-repo.ts';

const CLAMP = `export function clamp(value, low, high) {
  if (value < low) return low;
  if (value < high) return high;
  return value;
}
`;
const CLAMP_TESTS = `import { clamp } from '../src/clamp.js';
test('below', () => assert.equal(clamp(-1, 0, 5), 0));
test('above', () => assert.equal(clamp(9, 0, 5), 5));
test('within', () => assert.equal(clamp(3, 0, 5), 3));
`;

const NODE = testsBy('node');
const textOf = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

async function attempt(root: string, checks = NODE): Promise<Trajectory> {
  return await createSearchActor().attempt(await contextFor(root, { checks }));
}

describe.each(['node', 'vitest'] as const)('the search actor under %s', { timeout: 180_000 }, (tool) => {
  it('repairs a wrong comparison and records its actions', async () => {
    const root = createRepo({ 'src/clamp.js': CLAMP, 'test/clamp.test.js': TEST_HEAD[tool] + CLAMP_TESTS });
    const before = textsOf(root);
    const trajectory = await attempt(root, testsBy(tool));
    const repaired = CLAMP.replace('value < high', 'value > high');
    expect(textsOf(root)).toEqual({ ...before, 'src/clamp.js': repaired });
    expect(validate('trajectory', trajectory)).toMatchObject({ ok: true });
    expect(trajectory.outcome).toBe('edited');
    expect(trajectory.actions.map(({ type }) => type)).toEqual([
      'test_execution',
      'test_execution',
      'code_modification',
    ]);
    expect(trajectory.actions.at(-1)).toMatchObject({
      file_path: 'src/clamp.js',
      changes: {
        additions: 1,
        deletions: 1,
        diff: expect.stringContaining(
          '\n-  if (value < high) return high;\n+  if (value > high) return high;\n',
        ),
      },
    });
    expect(trajectory.rationale).toContain('src/clamp.js:3');
    const accepted = trajectory.actions.at(-1)!.description.replace('Accepted edit: ', '');
    expect(trajectory.ruled_out.edits).not.toContain(accepted);
    expect(trajectory.ruled_out.edits.length).toBeGreaterThan(50);
  });
});

it('repairs what the tests of one package show, whatever the tests of others say', async () => {
  const [first, second] = [{ packageDir: 'other' }, { packageDir: 'shop' }].map(({ packageDir }) => ({
    ...NODE[0]!,
    name: `${packageDir}:tests`,
    cwd: packageDir,
  }));
  const root = createRepo({
    'other/package.json': { name: 'other', type: 'module' },
    'other/x.test.js': `${TEST_HEAD.node}test('x', () => {});\n`,
    'shop/package.json': { name: 'shop', type: 'module' },
    'shop/src/clamp.js': CLAMP,
    'shop/test/clamp.test.js': TEST_HEAD.node + CLAMP_TESTS,
  });
  const trajectory = await attempt(root, [first!, second!]);
  expect(trajectory.outcome).toBe('edited');
  expect(textOf(root, 'shop/src/clamp.js')).toBe(CLAMP.replace('value < high', 'value > high'));
});

const CART = {
  'src/cart.ts': `import { RATE } from './rate.ts';
export interface Item { readonly price: number; readonly count: number }
export class Cart {
  readonly #items: Item[] = [];
  add(item: Item): this {
    this.#items.push(item);
    return this;
  }
  async total(): Promise<number> {
    const net = this.#items.map(({ price, count }) => price + count).reduce((sum, x) => sum + x, 0);
    return net * RATE;
  }
}
`,
  'src/rate.ts': 'export const RATE = 2;\n',
  'test/cart.test.ts': `import { beforeEach, describe, expect, it } from 'vitest';
import { Cart } from '../src/cart.ts';
let cart: Cart;
beforeEach(() => { cart = new Cart(); });
describe('a cart', () => {
  beforeEach(() => { cart.add({ price: 3, count: 4 }); });
  it('adds up', async () => { expect(await cart.total()).toBe(24); });
  it.each([[1, 26], [5, 34]])('adds %i', async (count, total) => {
    expect(await cart.add({ price: 1, count }).total()).toBe(total);
  });
});
it('is empty at first', async () => { expect(await cart.total()).toBe(0); });
`,
};

describe('the search actor', { timeout: 180_000 }, () => {
  it('repairs TypeScript with hooks, tables and promises', async () => {
    const root = createRepo(CART);
    const { outcome } = await attempt(root, testsBy('vitest'));
    expect(outcome).toBe('edited');
    expect(textOf(root, 'src/cart.ts')).toBe(CART['src/cart.ts'].replace('price + count', 'price * count'));
  });

  it('repairs a constant that needs a process of its own', async () => {
    const test = `${TEST_HEAD.node}import { RATE } from '../src/rate.js';\ntest('rate', () => assert.equal(RATE, 2));\n`;
    const root = createRepo({ 'src/rate.js': 'export const RATE = 1;\n', 'test/rate.test.js': test });
    const { outcome } = await attempt(root);
    expect([outcome, textOf(root, 'src/rate.js')]).toEqual(['edited', 'export const RATE = 2;\n']);
  });

  it('repairs code that never ends', async () => {
    const source =
      'export function fill(n) {\n  const xs = [];\n  for (let i = 0; i < n; i--) xs.push(0);\n  return xs;\n}\n';
    const test = `${TEST_HEAD.node}import { fill } from '../src/fill.js';\ntest('fill', () => { assert.deepEqual(fill(2), [0, 0]); assert.deepEqual(fill(3), [0, 0, 0]); });\n`;
    const root = createRepo({ 'src/fill.js': source, 'test/fill.test.js': test });
    const context = await contextFor(root, { checks: NODE, checkTimeoutMs: 2000 });
    const { outcome } = await createSearchActor().attempt(context);
    expect(outcome).toBe('edited');
    expect((await contextFor(root, { checks: NODE })).evaluation.passed).toBe(true);
  });

  it('repairs two bugs in two files with two attempts', async () => {
    const sum = 'export function sum(a, b) {\n  return a - b;\n}\n';
    const sumTest = `${TEST_HEAD.node}import { sum } from '../src/sum.js';\ntest('sum', () => { assert.equal(sum(2, 3), 5); assert.equal(sum(1, 1), 2); });\n`;
    const root = createRepo({
      'src/clamp.js': CLAMP,
      'src/sum.js': sum,
      'test/clamp.test.js': TEST_HEAD.node + CLAMP_TESTS,
      'test/sum.test.js': sumTest,
    });
    const before = textsOf(root);
    await attempt(root);
    const between = textsOf(root);
    await attempt(root);
    const after = textsOf(root);
    const changed = (a: Record<string, string>, b: Record<string, string>): string[] =>
      Object.keys(a).filter((file) => a[file] !== b[file]);
    expect([changed(before, between), changed(between, after)]).toEqual([['src/clamp.js'], ['src/sum.js']]);
    expect((await contextFor(root, { checks: NODE })).evaluation.passed).toBe(true);
  });

  it('does not repeat an accepted edit that was no improvement', async () => {
    const files = { 'src/clamp.js': CLAMP, 'test/clamp.test.js': TEST_HEAD.node + CLAMP_TESTS };
    const first = await attempt(createRepo(files));
    const chosen = first.actions.at(-1)!.description;
    const next = await contextFor(createRepo(files), {
      checks: NODE,
      reflections: [reflectionOf(first, false)],
    });
    const second = await createSearchActor().attempt(next);
    expect(second.actions.at(-1)!.description).toMatch(/^Accepted edit: /);
    expect(second.actions.at(-1)!.description).not.toBe(chosen);
    expect(second.ruled_out.edits).toContain(chosen.replace('Accepted edit: ', ''));
  });

  it('leaves the tree unchanged if it finds nothing, and does not repeat edits that a reflection rules out', async () => {
    const contradiction = 'assert.equal(clamp(1, 2, 3), 7); assert.equal(clamp(1, 2, 3), 8);';
    const test = `${TEST_HEAD.node}import { clamp } from '../src/clamp.js';\ntest('odd', () => { ${contradiction} });\n`;
    const root = createRepo({ 'src/clamp.js': CLAMP, 'test/clamp.test.js': test });
    const before = textsOf(root);
    const bounded = createSearchActor({ maxCandidates: 1500 });
    const first = await bounded.attempt(await contextFor(root, { checks: NODE }));
    expect(first).toMatchObject({ outcome: 'gave_up', usage: { cost_usd: 0 } });
    expect(first.message).toBe(`No edit found among the ${first.ruled_out.tried} tried.`);
    expect(first.ruled_out.tried).toBeGreaterThan(100);
    expect(textsOf(root)).toEqual(before);

    const reflected = await contextFor(root, { checks: NODE, reflections: [reflectionOf(first, false)] });
    const second = await bounded.attempt(reflected);
    expect(second.outcome).toBe('gave_up');
    const edits = new Set(second.ruled_out.edits);
    expect(first.ruled_out.edits.filter((edit) => !edits.has(edit))).toEqual([]);
    expect(edits.size).toBe(first.ruled_out.edits.length + second.ruled_out.tried);
    const combined = [...edits].filter((edit) => edit.split(' → ').length > 2);
    expect(combined.length).toBeGreaterThan(second.ruled_out.tried - 1);
  });

  it('tries at most maxCandidates edits', async () => {
    const test = `${TEST_HEAD.node}import { clamp } from '../src/clamp.js';\ntest('odd', () => assert.ok(clamp(1) && false));\n`;
    const root = createRepo({ 'src/clamp.js': CLAMP, 'test/clamp.test.js': test });
    const { ruled_out } = await createSearchActor({ maxCandidates: 50 }).attempt(
      await contextFor(root, { checks: NODE }),
    );
    expect(ruled_out.tried).toBeLessThanOrEqual(50);
  });

  it('fixes lint errors if no test fails', async () => {
    const root = createRepo({
      'eslint.config.js': "export default [{ rules: { 'no-var': 'error', 'prefer-const': 'error' } }];\n",
      'src/one.js': 'var one = 1;\nexport { one };\n',
    });
    const { outcome, actions } = await attempt(root, [
      planFor('eslint', { config: 'eslint.config.js', args: ['.'] }),
    ]);
    expect([outcome, textOf(root, 'src/one.js')]).toEqual(['edited', 'const one = 1;\nexport { one };\n']);
    expect(actions[0]).toMatchObject({ type: 'command_execution', file_path: 'src/one.js' });
  });

  it('changes nothing if a package is missing, and names it', async () => {
    const test = `import 'not-installed-here';\n${TEST_HEAD.node}test('a', () => {});\n`;
    const root = createRepo({ 'src/clamp.js': CLAMP, 'test/clamp.test.js': test });
    const before = textsOf(root);
    const { outcome, message } = await attempt(root);
    expect([outcome, message]).toEqual([
      'gave_up',
      expect.stringContaining("Cannot find package 'not-installed-here'"),
    ]);
    expect(textsOf(root)).toEqual(before);
  });

  it.each(['tracing', 'trying', 'confirming'])(
    'leaves every file unchanged when stopped while %s',
    async (stage) => {
      const root = createRepo({ 'src/clamp.js': CLAMP, 'test/clamp.test.js': TEST_HEAD.node + CLAMP_TESTS });
      const before = textsOf(root);
      const controller = new AbortController();
      const onProgress = (text: string): void => {
        if (text.startsWith(stage)) setTimeout(() => controller.abort(), 60);
      };
      const context = await contextFor(root, { checks: NODE, signal: controller.signal, onProgress });
      const { outcome } = await createSearchActor().attempt(context);
      expect(outcome).toBe('timed_out');
      expect(textsOf(root)).toEqual(before);
    },
  );
});
