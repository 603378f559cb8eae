import { describe, expect, it } from 'vitest';
import { tryCold } from '../../../src/repair/trial/cold-trial.ts';
import { tryFast } from '../../../src/repair/trial/fast-trial.ts';
import type { FastVerdict } from '../../../src/repair/trial/trial-ledger.ts';
import { planFor } from '../../support/checks.ts';
import { writeFiles } from '../../support/repositories.ts';
import {
  contextFor,
  createRepo,
  groundOf,
  replacing,
  TEST_HEAD,
  testsBy,
  textsOf,
  type RepairTool,
} from '../../support/repair-repo.ts';

function repoWith(tool: RepairTool, source: string, tests: string): string {
  const [body, type] =
    tool === 'jest' ? ([asCommonJs(tests), 'commonjs'] as const) : ([tests, 'module'] as const);
  const subject = tool === 'jest' ? asCommonJs(source) : source;
  return createRepo({ 'src/subject.js': subject, 'test/subject.test.js': TEST_HEAD[tool] + body }, type);
}

function asCommonJs(text: string): string {
  return text
    .replace(/import (\{.*\}) from ('.*')/g, 'const $1 = require($2)')
    .replace(/export (async )?function\*? (\w+)/g, 'module.exports.$2 = $2;\n$&')
    .replaceAll('export ', '');
}

const OPTIONS = { mode: 'failing', deadline: Infinity } as const;

function replacementsThatFix(verdicts: readonly FastVerdict[]): string[] {
  return verdicts
    .filter(({ fixed }) => fixed.length > 0)
    .map(({ candidate }) => candidate.edits[0]!.replacement);
}

const SUM =
  'export function sum(xs) {\n  let total = 0;\n  for (const x of xs) total -= x;\n  return total;\n}\n';
const SUM_TESTS = `import { sum } from '../src/subject.js';
describe('sum', () => {
  test('of nothing', () => assert.equal(sum([]), 0));
  test('of two', async () => assert.equal(sum([1, 2]), 3));
  test('of three', () => { assert.equal(sum([1, 2, 3]), 6); });
});
`;

describe.each(['node', 'vitest', 'mocha', 'jest'] as const)(
  'tryFast under %s',
  { timeout: 180_000 },
  (tool) => {
    it('finds the one edit that fixes the failing tests', async () => {
      const root = repoWith(tool, SUM, SUM_TESTS);
      const before = textsOf(root);
      const candidates = replacing(root, 'total -= x', 'total += x', 'total *= x', 'total = x', 'x');
      const result = await tryFast(await groundOf(root, tool), candidates, OPTIONS);
      expect(result.failing).toBe(2);
      expect(replacementsThatFix(result.verdicts)).toEqual(['total += x']);
      expect(result.verdicts[0]!.fixed).toHaveLength(2);
      expect(result.left).toEqual([]);
      expect(textsOf(root)).toEqual(before);
    });

    it('tries edits on a test that draws its data by chance', async () => {
      const tests = `import { sum } from '../src/subject.js';
test('of some', () => { const [a, b] = [1 + Math.random(), Math.random()]; assert.equal(sum([a, b]), 0 + a + b); });
test('of others', () => { assert.equal(sum([Date.now() + process.hrtime()[1]]), 0); });
`;
      const root = repoWith(tool, SUM, tests);
      const candidates = replacing(root, 'total -= x', 'total += x', 'total *= x', 'total = x');
      const result = await tryFast(await groundOf(root, tool), candidates, OPTIONS);
      expect(result.failing).toBe(1);
      expect(replacementsThatFix(result.verdicts)).toEqual(['total += x']);
    });

    it('reports the passing tests that an edit breaks', async () => {
      const root = repoWith(tool, SUM, SUM_TESTS);
      const candidates = replacing(
        root,
        'return total;',
        'return xs.length === 2 ? 3 : 1;',
        'return 0 - total;',
      );
      const result = await tryFast(await groundOf(root, tool), candidates, { ...OPTIONS, mode: 'all' });
      expect(result.verdicts.map(({ fixed, broken }) => [fixed.length, broken.length])).toEqual([
        [1, 1],
        [2, 0],
      ]);
    });
  },
);

describe('tryFast', { timeout: 180_000 }, () => {
  it('runs the hooks around each candidate as the runner does around each test', async () => {
    const source = 'export function push(list, x) {\n  list.unshift(x);\n  return list.length;\n}\n';
    const tests = `import { push } from '../src/subject.js';
let list;
describe('a list', () => {
  beforeEach(() => { list = []; });
  describe('with one', () => {
    beforeEach(async () => { list.push('a'); });
    afterEach(() => { if (list.length > 2) throw new Error('left over'); });
    test('grows at its end', () => { push(list, 'b'); assert.deepEqual(list, ['a', 'b']); });
  });
});
`;
    const root = repoWith('node', source, tests);
    const candidates = replacing(
      root,
      'list.unshift(x)',
      'list.length = 0',
      'list.push(x, x)',
      'list.push(x)',
    );
    const { verdicts, failing } = await tryFast(await groundOf(root, 'node'), candidates, OPTIONS);
    expect(failing).toBe(1);
    expect(replacementsThatFix(verdicts)).toEqual(['list.push(x)']);
  });

  it('waits for promises and callbacks of tests', async () => {
    const source = 'export async function later(x) {\n  await null;\n  return x - 1;\n}\n';
    const tests = `import { later } from '../src/subject.js';
test('promise', async () => { assert.equal(await later(1), 2); });
test('callback', (done) => { later(1).then((x) => { assert.equal(x, 2); done(); }).catch(done); });
`;
    const root = repoWith('mocha', source, tests);
    const candidates = replacing(root, 'x - 1', 'x + 2', 'x + 1');
    const { verdicts } = await tryFast(await groundOf(root, 'mocha'), candidates, OPTIONS);
    expect(verdicts.map(({ fixed }) => fixed.length)).toEqual([0, 2]);
  });

  it('judges the other candidates after one that never ends, exhausts the memory, exits or kills the process', async () => {
    const root = repoWith('node', SUM, SUM_TESTS);
    const candidates = replacing(
      root,
      'for (const x of xs) total -= x;',
      'while (true) {}',
      'const held = []; for (;;) held.push(new Array(1000).fill(total));',
      'process.exit(0);',
      "process.kill(process.pid, 'SIGKILL');",
      'for (const x of xs) total += x;',
    );
    const before = textsOf(root);
    const { verdicts, processes } = await tryFast(await groundOf(root, 'node'), candidates, OPTIONS);
    expect(verdicts.map(({ fixed, crashed }) => [fixed.length, crashed])).toEqual([
      [0, false],
      // Out of time or out of memory, whichever comes first.
      [0, expect.any(Boolean)],
      [0, false],
      [0, true],
      [2, false],
    ]);
    expect(processes).toBeGreaterThanOrEqual(2);
    expect(textsOf(root)).toEqual(before);
  });

  it('judges the other candidates after one that blocks where the engine cannot interrupt it', async () => {
    const root = repoWith('node', SUM, SUM_TESTS);
    const wait = "process.getBuiltinModule('node:child_process').execSync('sleep 300')";
    const candidates = replacing(root, 'total -= x', 'total *= x', wait, 'total += x');
    const { verdicts } = await tryFast(await groundOf(root, 'node'), candidates, OPTIONS);
    expect(verdicts.map(({ fixed, crashed }) => [fixed.length, crashed])).toEqual([
      [0, false],
      [0, true],
      [2, false],
    ]);
  });

  it('finds the candidate that leaves state behind, and judges the others without it', async () => {
    const root = repoWith('node', SUM, SUM_TESTS);
    const candidates = replacing(root, 'total -= x', 'sum = 1', 'total *= x', 'total += x');
    const { verdicts, left } = await tryFast(await groundOf(root, 'node'), candidates, OPTIONS);
    expect(replacementsThatFix(verdicts)).toEqual(['total += x']);
    expect(left.map(({ edits }) => edits[0]!.replacement)).toEqual(['sum = 1']);
  });

  it('leaves code that runs only while its module loads to cold trials', async () => {
    const source =
      'const HALF = 2;\nconst STEP = HALF * 2;\nexport function next(x) {\n  return x + STEP;\n}\n';
    const tests =
      "import { next } from '../src/subject.js';\ntest('next', () => assert.equal(next(1), 3));\n";
    const root = repoWith('node', source, tests);
    const { verdicts, left } = await tryFast(
      await groundOf(root, 'node'),
      replacing(root, '2', '1'),
      OPTIONS,
    );
    expect([verdicts.length, left.length]).toEqual([0, 1]);
  });

  it('tries constants of a module that its functions read', async () => {
    const source =
      'const DIGITS = /\\d/g;\nexport function digits(text) {\n  return text.match(DIGITS);\n}\n';
    const tests =
      "import { digits } from '../src/subject.js';\ntest('digits', () => assert.deepEqual(digits('1 22'), ['1', '22']));\n";
    const root = repoWith('node', source, tests);
    const candidates = replacing(root, '/\\d/g', '/\\d+/', '/\\d+/g', '/\\d\\d/g');
    const { verdicts, left } = await tryFast(await groundOf(root, 'node'), candidates, OPTIONS);
    expect(replacementsThatFix(verdicts)).toEqual(['/\\d+/g']);
    expect(left).toEqual([]);
  });

  it('has no verdict on tests with another outcome in a second run', async () => {
    const source = 'let calls = 0;\nexport function count() {\n  calls += 2;\n  return calls;\n}\n';
    const tests =
      "import { count } from '../src/subject.js';\ntest('first', () => assert.equal(count(), 1));\n";
    const root = repoWith('node', source, tests);
    const candidates = replacing(root, 'calls += 2', 'calls += 1', 'calls = 1');
    const { left, failing } = await tryFast(await groundOf(root, 'node'), candidates, OPTIONS);
    expect([left.length, failing]).toEqual([2, 0]);
  });

  const STORED = "import { expect } from 'vitest';\nimport { sum } from '../src/subject.js';\n";
  const PLAIN = "test('plain', () => assert.equal(sum([1]), 1));\n";

  it.each([
    [
      'does not run tests with stored snapshots',
      "test('sum', () => expect(sum([1])).toMatchSnapshot());\n",
      1,
    ],
    [
      'runs other tests of the same file',
      `test('sum', () => expect(sum([1])).toMatchSnapshot());\n${PLAIN}`,
      0,
    ],
    [
      'does not run a file in which any test may compare with a snapshot',
      `const same = (value) => expect(value).toMatchSnapshot();\ntest('sum', () => same(sum([1])));\n${PLAIN}`,
      1,
    ],
  ])('%s', async (_name, tests, leftCount) => {
    const root = repoWith('vitest', SUM, STORED + tests);
    const target = await groundOf(root, 'vitest');
    const before = textsOf(root);
    const { left, failing } = await tryFast(target, replacing(root, 'total -= x', 'total += x'), OPTIONS);
    expect([left.length, failing]).toEqual([leftCount, 1 - leftCount]);
    expect(textsOf(root)).toEqual(before);
  });
});

describe('tryCold', { timeout: 180_000 }, () => {
  it('reports the tests that a candidate fixes and breaks, and restores the file', async () => {
    const root = repoWith('node', SUM, SUM_TESTS);
    const before = textsOf(root);
    const { context } = await groundOf(root, 'node');
    const [good, bad] = replacing(root, 'total -= x', 'total += x', 'return 3');
    const options = {
      check: 'tests',
      before: context.evaluation.tests,
      timeoutMs: 20_000,
      otherChecks: false,
    };
    expect((await tryCold(context, good!, options)).fixed).toHaveLength(2);
    expect(await tryCold(context, bad!, options)).toMatchObject({
      fixed: ['test/subject.test.js > sum > of two'],
      broken: [],
    });
    expect(textsOf(root)).toEqual(before);
  });

  it('reports other checks that passed before and fail with the candidate', async () => {
    const source = "export function label(n: number): string {\n  return n > 1 ? 'many' : 'none';\n}\n";
    const root = createRepo({
      'src/subject.ts': source,
      'test/subject.test.ts': `${TEST_HEAD.vitest}import { label } from '../src/subject.ts';\ntest('one', () => assert.equal(String(label(1)), '1'));\n`,
      'tsconfig.json': {
        compilerOptions: { strict: true, noEmit: true, module: 'nodenext', types: [], lib: ['es2015'] },
        include: ['src'],
      },
    });
    const context = await contextFor(root, {
      checks: [...testsBy('vitest'), planFor('tsc', { config: 'tsconfig.json' })],
    });
    const start = source.indexOf("'none'");
    const [illTyped, wellTyped] = ['1', "'1'"].map((replacement) => ({
      edits: [{ file: 'src/subject.ts', start, end: start + 6, replacement }],
      operator: 'test',
      line: 2,
      signature: replacement,
      prior: 1,
    }));
    const options = {
      check: 'tests',
      before: context.evaluation.tests,
      timeoutMs: 30_000,
      otherChecks: true,
    };
    expect((await tryCold(context, illTyped!, options)).spoiledChecks).toEqual(['types']);
    expect((await tryCold(context, wellTyped!, options)).spoiledChecks).toEqual([]);
  });
});

it('tries edits on every test of AVA, which starts them together', { timeout: 180_000 }, async () => {
  const tests = `import { sum } from '../src/subject.js';
test.beforeEach((t) => { t.context = { added: Number(t.title.slice(-1)) }; });
test('of nothing 0', (t) => t.is(sum([]), t.context.added));
test('of two 3', async (t) => { await null; t.is(sum([1, 2]), t.context.added); });
test('of three 6', (t) => t.is(sum([1, 2, 3]), t.context.added));
`;
  const root = repoWith('ava', SUM, tests);
  const candidates = replacing(root, 'total -= x', 'total += x', 'total *= x', 'total = x', 'x');
  const result = await tryFast(await groundOf(root, 'ava'), candidates, OPTIONS);
  expect(result.failing).toBe(2);
  expect(replacementsThatFix(result.verdicts)).toEqual(['total += x']);
  expect(result.verdicts[0]!.fixed).toHaveLength(2);
});

it('leaves all edits at once where the test file does not run with the trial runtime', async () => {
  const root = repoWith('node', SUM, SUM_TESTS);
  writeFiles(root, { 'old.cjs': 'process.getBuiltinModule = undefined;' });
  const check = planFor('node', { name: 'tests', args: ['--require', './old.cjs'] });
  const context = await contextFor(root, { checks: [check] });
  const ground = { context, check, testFile: 'test/subject.test.js' };
  const candidates = Array.from({ length: 30 }, (_, index) => replacing(root, 'total -= x', `${index}`)[0]!);
  const result = await tryFast(ground, candidates, OPTIONS);
  expect(result).toEqual({ verdicts: [], left: candidates, failing: 0, processes: 2, isUnusable: true });
});
