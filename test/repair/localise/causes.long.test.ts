import { describe, expect, it } from 'vitest';
import { separateCauses } from '../../../src/repair/localise/causes.ts';
import { failureGroups } from '../../../src/repair/localise/failures.ts';
import { createSearchActor } from '../../../src/repair/index.ts';
import { findSuspects } from '../../../src/repair/localise/suspects.ts';
import { runTraced } from '../../../src/repair/trial/trace-run.ts';
import {
  contextFor,
  createRepo,
  TEST_HEAD,
  testsBy,
  textsOf,
  type RepairTool,
} from '../../support/repair-repo.ts';

const TWO_FAULTS = `export function area(a, b) {
  return a + b;
}
export function half(n) {
  return n * 2;
}
export function same(n) {
  return n;
}
`;
const TESTS = `test('area', () => assert.equal(area(3, 4), 12));
test('half', () => { assert.equal(half(4), 2); assert.equal(half(10), 5); });
test('same', () => assert.equal(same(4), 4));
test('area of more', () => assert.equal(area(5, 6), 30));
`;

async function causesOf(source: string, tests: string, tool: RepairTool = 'node') {
  const names = [...source.matchAll(/export (?:function|class) (\w+)/g)].map(([, name]) => name).join(', ');
  const isCommon = tool === 'jest';
  const subject = isCommon ? `${source.replaceAll('export ', '')}module.exports = { ${names} };\n` : source;
  const load = isCommon ? `const { ${names} } = require` : `import { ${names} } from `;
  const root = createRepo(
    {
      'src/a.js': subject,
      'test/a.test.js':
        `${TEST_HEAD[tool]}${load}('../src/a.js');\n`.replace(/from +\((.*)\)/, 'from $1') + tests,
    },
    isCommon ? 'commonjs' : 'module',
  );
  const checks = testsBy(tool);
  const context = await contextFor(root, { checks });
  const [group] = failureGroups(context);
  return {
    root,
    context,
    check: checks[0]!,
    ...(await separateCauses(context, group!, { recent: new Map(), runTraced })),
  };
}

describe('separateCauses', { timeout: 60_000 }, () => {
  it.each(['node', 'vitest', 'mocha', 'jest'] as const)(
    'separates failures in different functions under %s, each with its own suspects',
    async (tool) => {
      const { context, check, groups } = await causesOf(TWO_FAULTS, TESTS, tool);
      expect(groups.map(({ tests }) => tests.map(({ name }) => name))).toEqual([
        ['area', 'area of more'],
        ['half'],
      ]);
      expect(groups.map(({ diagnostics }) => diagnostics.length)).toEqual([2, 1]);
      for (const [index, line] of [2, 5].entries()) {
        const cause = groups[index]!;
        const { suspects } = await findSuspects({ context, check, testFile: cause.file }, cause, runTraced);
        const traced = suspects[0]!.regions.filter(({ weight }) => weight > 0.2);
        // The second one is the end of the function, where a statement may be missing.
        expect(traced.map((region) => [region.line, region.weight])).toEqual([
          [line, 1],
          [line + 1, 1],
        ]);
      }
    },
  );

  it('keeps failures together that share a function which no passing test reaches', async () => {
    const shared = TWO_FAULTS.replace('a + b', 'same(a) + b').replace('n * 2', 'same(n) * 2');
    const { groups } = await causesOf(shared, TESTS.replace(/test\('same'.*\n/, ''));
    expect(groups.map(({ tests }) => tests.length)).toEqual([3]);
  });

  it('keeps failures together if they reach no statement or the file cannot be traced', async () => {
    const constants = 'export class area { static of = 1 }\nexport class half { static of = 1 }\n';
    const tests =
      "test('area', () => assert.equal(area.of, 2));\ntest('half', () => assert.equal(half.of, 2));\n";
    expect((await causesOf(constants, tests)).groups).toHaveLength(1);
    const untraced = TESTS + '// .snapshot( \n';
    expect((await causesOf(TWO_FAULTS, untraced)).groups.map(({ tests: { length } }) => length)).toEqual([3]);
  });

  it('lets the search repair one cause if it cannot repair the other', async () => {
    const beyond = TWO_FAULTS.replace(
      'return a + b;',
      "return String(a).padEnd(b, 'x').length > 99 ? [] : {};",
    );
    const many = '{ for (const n of [1, 2, 3, 4]) assert.equal(area(n, n + 1), n * (n + 1)); }';
    const { root, context } = await causesOf(beyond, TESTS.replace(/assert.equal\(area.*?\)(?=\);)/g, many));
    const before = textsOf(root);
    const trajectory = await createSearchActor({ maxCandidates: 600 }).attempt(context);
    expect(trajectory.outcome).toBe('edited');
    expect(textsOf(root)).toEqual({ ...before, 'src/a.js': beyond.replace('n * 2', 'n / 2') });
    expect(trajectory.rationale).toMatch(/Suspects for 2 failing tests.*\nSuspects for 1 failing test /);
  });
});
