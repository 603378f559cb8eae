import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LineTrace } from '../../../src/ports/reflection.ts';
import { createTracer } from '../../../src/repair/observe/trace-failure.ts';
import {
  contextFor,
  createRepo,
  TEST_HEAD,
  testsBy,
  textsOf,
  type RepairTool,
} from '../../support/repair-repo.ts';

const SOURCE = `export function pages(items, size) {
  if (items === 0) return 0;
  return Math.floor(items / size);
}
export const label = (count) =>
  count + ' pages';
export const SIZES = [10,
  20];
`;
const TESTS = `import { pages, label } from '../src/subject.js';
describe('pages', () => {
  test('counts a page that is not full', () => assert.equal(pages(21, 10), 3));
  test('are named', () => assert.equal(label(1), '1 page'));
});
`;

interface Traced {
  readonly tool: RepairTool;
  readonly test: string;
  readonly lines: readonly number[];
  readonly source?: string;
  readonly tests?: string;
}

async function traced({ tool, test, lines, ...texts }: Traced) {
  const asModule = [texts.source ?? SOURCE, texts.tests ?? TESTS] as const;
  const [source, tests] = tool === 'jest' ? asModule.map(asCommonJs) : asModule;
  const type = tool === 'jest' ? 'commonjs' : 'module';
  const root = createRepo(
    { 'src/subject.js': source!, 'test/subject.test.js': TEST_HEAD[tool] + tests! },
    type,
  );
  const { project, evaluation, bench, signal } = await contextFor(root, { checks: testsBy(tool) });
  const before = textsOf(root);
  const failure = evaluation.diagnostics.find(({ test_id: id }) => id?.endsWith(test))!;
  const changed = lines.map((line) => ({ file: 'src/subject.js', line }));
  const trace = await createTracer().trace({
    root,
    project,
    evaluation,
    failure,
    lines: changed,
    bench,
    signal,
  });
  expect(textsOf(root)).toEqual(before);
  return trace;
}

function asCommonJs(text: string): string {
  return text
    .replace(/import (\{.*\}) from ('.*')/g, 'const $1 = require($2)')
    .replace(/export (function) (\w+)/g, 'module.exports.$2 = $2;$1 $2')
    .replace(/export const (\w+) =/g, 'const $1 = module.exports.$1 =');
}

const numbers = (lines: LineTrace['ran'] | undefined): number[] | undefined => lines?.map(({ line }) => line);

describe('the tracer', { timeout: 120_000 }, () => {
  it.each(['node', 'vitest', 'mocha', 'jest'] as const)(
    'says under %s which changed lines a failing test ran, and the values there',
    async (tool) => {
      const trace = await traced({ tool, test: 'counts a page that is not full', lines: [2, 3, 6, 8] });
      expect(trace?.testId).toMatch(/counts a page that is not full$/);
      expect([numbers(trace?.ran), numbers(trace?.missed), numbers(trace?.unknown)]).toEqual([
        [2, 3],
        [6],
        [8],
      ]);
      expect(trace!.values.map(({ code, line, first }) => [code, line, first])).toEqual([
        ['Math.floor(items / size)', 3, '2'],
        ['size', 3, '10'],
        ['items', 3, '21'],
        ['items === 0', 2, 'false'],
      ]);
    },
  );

  it('traces the other test by itself, with the values of no changed line too', async () => {
    const trace = await traced({ tool: 'node', test: 'are named', lines: [3, 6] });
    expect([numbers(trace?.ran), numbers(trace?.missed)]).toEqual([[6], [3]]);
    const other = await traced({ tool: 'node', test: 'are named', lines: [8] });
    expect([other?.ran, other?.missed]).toEqual([[], []]);
    expect(other!.values.map(({ code, first, isChanged }) => [code, first, isChanged])).toEqual([
      ["count + ' pages'", "'1 pages'", false],
      ['count', '1', false],
    ]);
  });

  it('says nothing of a source of which a built copy may have run', async () => {
    const files = {
      'src/subject.js': SOURCE,
      'dist/subject.js': SOURCE,
      'test/subject.test.js': TEST_HEAD.mocha + TESTS.replace('../src/', '../dist/'),
    };
    const line = { file: 'src/subject.js', line: 3 };
    const traceIn = async (root: string): Promise<LineTrace | undefined> => {
      const { project, evaluation, bench, signal } = await contextFor(root, { checks: testsBy('mocha') });
      const failure = evaluation.diagnostics.find(({ test_id: id }) => id?.endsWith('not full'))!;
      return createTracer().trace({ root, project, evaluation, failure, lines: [line], bench, signal });
    };
    const built = await traceIn(createRepo(files));
    expect([built?.ran ?? [], built?.missed ?? []]).toEqual([[], []]);
    // A file that has no built copy, and which no test loads, did not run.
    const { 'dist/subject.js': copy, ...rest } = files;
    const other = {
      ...{ ...rest, 'lib/subject.js': copy },
      'test/subject.test.js': TEST_HEAD.mocha + TESTS.replace('../src/', '../lib/'),
    };
    expect((await traceIn(createRepo(other)))?.missed).toEqual([line]);
  });

  it('counts the values of a loop, hides secrets, and neither calls nor changes what it reads', async () => {
    const source = `export function total(cart) {
  let sum = 0
  for (const item of cart.items) sum += item.price
  const token = cart.token
  const seen = cart
  return sum + cart.reads
}
`;
    const tests = `import { total } from '../src/subject.js';
test('sums', () => {
  const cart = { items: [{ price: 1 }, { price: 2 }, { price: 4 }], token: 'ghp_${'a1B2'.repeat(9)}' };
  let reads = 0;
  Object.defineProperty(cart, 'reads', { enumerable: true, get: () => ++reads });
  assert.equal(total(cart), 9);
});
`;
    const trace = await traced({ tool: 'node', test: 'sums', lines: [3, 4], source, tests });
    const shown = trace!.values.map(({ code, count, first, last }) => [code, count, first, last]);
    expect(shown).toContainEqual(['sum += item.price', 3, '1', '7']);
    expect(shown).toContainEqual(['item.price', 3, '1', '4']);
    expect(JSON.stringify(trace)).not.toContain('a1B2a1B2');
    expect(shown).toContainEqual(['sum + cart.reads', 1, '8', '8']);
    expect(shown.find(([code]) => code === 'seen')?.[2]).toMatch(/^\{ items: .*reads: \[Getter\]/);
  });

  it.each(['node', 'vitest', 'mocha'] as const)(
    'says under %s whether a fixed test runs the edit',
    async (tool) => {
      const root = createRepo(
        { 'src/subject.js': SOURCE, 'test/subject.test.js': TEST_HEAD[tool] + TESTS },
        'module',
      );
      const { project, evaluation, bench, signal } = await contextFor(root, { checks: testsBy(tool) });
      const failure = evaluation.diagnostics.find(({ test_id: id }) => id?.endsWith('that is not full'))!;
      const executes = (line: number): Promise<boolean | undefined> =>
        createTracer().executes({
          ...{ root, project, evaluation, failure, bench, signal },
          lines: [{ file: 'src/subject.js', line }],
        });
      // It still fails: nothing fixed it.
      expect(await executes(3)).toBeUndefined();
      const fixed = SOURCE.replace('Math.floor', 'Math.ceil').replace('20];', '20];\n// a note');
      writeFileSync(join(root, 'src/subject.js'), fixed);
      expect(await executes(3)).toBe(true);
      expect(await executes(6)).toBe(false);
      // A comment is no statement.
      expect(await executes(9)).toBeUndefined();
      expect(textsOf(root)['src/subject.js']).toBe(fixed);
    },
  );

  it.each([40, 3000])('sees that a fixed constant of %i numbers in one line was loaded', async (length) => {
    const list = (last: number): string =>
      `export const long = [${[...Array.from({ length }, (_, at) => at), last].join(', ')}];\nexport const g = (n) => n;\n`;
    const tests = `import { long } from '../src/subject.js';\ntest('long', () => assert.equal(long.at(-1), 9));\n`;
    const root = createRepo(
      { 'src/subject.js': list(8), 'test/subject.test.js': TEST_HEAD.node + tests },
      'module',
    );
    const { project, evaluation, bench, signal } = await contextFor(root, { checks: testsBy('node') });
    writeFileSync(join(root, 'src/subject.js'), list(9));
    const executes = (line: number): Promise<boolean | undefined> =>
      createTracer().executes({
        ...{ root, project, evaluation, failure: evaluation.diagnostics[0]!, bench, signal },
        lines: [{ file: 'src/subject.js', line }],
      });
    expect(await executes(1)).toBe(true);
    expect(await executes(2)).not.toBe(true);
  });
});
