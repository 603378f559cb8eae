import { describe, expect, it } from 'vitest';
import { compareBehaviours } from '../../../src/repair/choose/behaviours.ts';
import { createRepo, groundOf, replacing, TEST_HEAD, textsOf } from '../../support/repair-repo.ts';

async function compared(files: { source: string; tests: string }, before: string, ...afters: string[]) {
  const root = createRepo({
    'src/subject.js': files.source,
    'test/subject.test.js': `${TEST_HEAD.node}import * as subject from '../src/subject.js';\n${files.tests}`,
  });
  const candidates = replacing(root, before, ...afters);
  return { candidates, ...(await compareBehaviours(await groundOf(root, 'node'), candidates)) };
}

const LARGEST = {
  source:
    'export function largest(xs) {\n  let best = 0;\n  for (const x of xs) if (x > best) best = x;\n  return best;\n}\n',
  tests:
    "test('some', () => assert.equal(subject.largest([3, 9, 2]), 9));\ntest('one', () => assert.equal(subject.largest([-4]), -4));\n",
};

describe('compareBehaviours', { timeout: 120_000 }, () => {
  it('returns equal results for equivalent edits only, on more inputs than the tests have', async () => {
    const { candidates, of, original } = await compared(
      LARGEST,
      'best = 0',
      'best = -Infinity',
      'best = Number.NEGATIVE_INFINITY',
      'best = -4',
    );
    const [a, b, c] = candidates.map((candidate) => of.get(candidate)!);
    expect(original.length).toBeGreaterThan(20);
    expect(a).toHaveLength(original.length);
    expect(a).toEqual(b);
    expect(a).not.toEqual(c);
    expect(a).not.toEqual(original);
  });

  it('returns the share of examples in comments that hold', async () => {
    const source = `/** largest([3, 1]) => 3, largest([-2]) => -2 */\n// largest([-5, -7]) => -5\n${LARGEST.source}`;
    const { candidates, examples } = await compared(
      { ...LARGEST, source },
      'best = 0',
      'best = -Infinity',
      'best = -6',
      'best = +0',
    );
    expect(candidates.map((candidate) => examples.get(candidate))).toEqual([1, 1, 0]);
    const without = await compared(LARGEST, 'best = 0', 'best = -Infinity');
    expect(without.examples.size).toBe(0);
  });

  it('compares results of methods and promises, errors and changes of the arguments', async () => {
    const source = [
      'export class Bag {',
      '  items = [];',
      '  async put(list, item) { if (item === undefined) throw new TypeError("none"); list.push(item); return list.length; }',
      '}',
      '',
    ].join('\n');
    const tests = "test('put', async () => assert.equal(await new subject.Bag().put(['a'], 'b'), 3));\n";
    const { candidates, of, original } = await compared(
      { source, tests },
      'list.push(item)',
      'list.unshift(item)',
      'list.push(item);',
    );
    expect(original[0]).toBe('2 and changes its arguments to [["a","b"],"b"]');
    expect(of.get(candidates[0]!)![0]).toBe('2 and changes its arguments to [["b","a"],"b"]');
    expect(of.get(candidates[1]!)).toEqual(original);
  });

  it('gives each run its own copy of the arguments', async () => {
    const source =
      'export const total = (xs) => {\n  let sum = 0;\n  while (xs.length > 0) sum += xs.pop();\n  return sum + 1;\n};\n';
    const tests = "test('total', () => assert.equal(subject.total([1, 2, 3]), 6));\n";
    const { candidates, of } = await compared({ source, tests }, 'sum + 1', 'sum', 'sum + 0');
    expect(of.get(candidates[0]!)).toEqual(of.get(candidates[1]!));
    expect(of.get(candidates[0]!)![0]).toBe('6 and changes its arguments to [[]]');
  });

  it('compares nothing if the arguments are not plain data', async () => {
    const source = 'export function apply(call) {\n  return call(1) + 1;\n}\n';
    const tests = "test('apply', () => assert.equal(subject.apply((x) => x), 1));\n";
    const { original, of, candidates } = await compared({ source, tests }, '+ 1', '+ 0');
    expect(original).toEqual([]);
    expect(of.get(candidates[0]!) ?? []).toEqual([]);
  });

  it('stops a run that never ends and compares the others', async () => {
    const { candidates, of } = await compared(
      LARGEST,
      'best = x;',
      '{ best = x; while (true); }',
      'best = x + 0;',
    );
    expect(of.get(candidates[0]!)!.some((text) => text.startsWith('never ends'))).toBe(true);
    expect(of.get(candidates[1]!)!.every((text) => !text.startsWith('never ends'))).toBe(true);
  });

  it.each(['vitest', 'mocha', 'jest'] as const)(
    'compares under %s and leaves every file unchanged',
    async (tool) => {
      const commonJs = tool === 'jest';
      const source = commonJs
        ? `${LARGEST.source.replace('export ', '')}exports.largest = largest;\n`
        : LARGEST.source;
      const load = commonJs
        ? "const subject = require('../src/subject.js');\n"
        : "import * as subject from '../src/subject.js';\n";
      const files = {
        'src/subject.js': source,
        'test/subject.test.js': TEST_HEAD[tool] + load + LARGEST.tests,
      };
      const root = createRepo(files, commonJs ? 'commonjs' : 'module');
      const before = textsOf(root);
      const candidates = replacing(root, 'best = 0', 'best = -Infinity', 'best = xs[0]', 'best = 1');
      const { of, original } = await compareBehaviours(await groundOf(root, tool), candidates);
      expect(original.length).toBeGreaterThan(20);
      expect(of.get(candidates[0]!)).toEqual(of.get(candidates[1]!));
      expect(of.get(candidates[0]!)).not.toEqual(of.get(candidates[2]!));
      expect(textsOf(root)).toEqual(before);
    },
  );
});
