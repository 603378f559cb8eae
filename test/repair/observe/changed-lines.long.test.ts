import { describe, expect, it } from 'vitest';
import type { LineTrace } from '../../../src/ports.ts';
import { createTracer } from '../../../src/repair/observe/changed-lines.ts';
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

async function traced(tool: RepairTool, test: string, lines: readonly number[]) {
  const [source, tests] = tool === 'jest' ? [asCommonJs(SOURCE), asCommonJs(TESTS)] : [SOURCE, TESTS];
  const type = tool === 'jest' ? 'commonjs' : 'module';
  const root = createRepo(
    { 'src/subject.js': source, 'test/subject.test.js': TEST_HEAD[tool] + tests },
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
    'says under %s which changed lines a failing test ran',
    async (tool) => {
      const trace = await traced(tool, 'counts a page that is not full', [2, 3, 6, 8]);
      expect(trace?.testId).toMatch(/counts a page that is not full$/);
      expect([numbers(trace?.ran), numbers(trace?.missed), numbers(trace?.unknown)]).toEqual([
        [2, 3],
        [6],
        [8],
      ]);
    },
  );

  it('traces the other test by itself, and nothing where no statement begins', async () => {
    const trace = await traced('node', 'are named', [3, 6]);
    expect([numbers(trace?.ran), numbers(trace?.missed)]).toEqual([[6], [3]]);
    expect(await traced('node', 'are named', [8])).toBeUndefined();
  });
});
