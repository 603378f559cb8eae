import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/actors/search/edit.ts';
import { tryFast, type FastVerdict } from '../../../src/actors/search/trial-fast.ts';
import type { TrialGround } from '../../../src/actors/search/trial-session.ts';
import type { BenchTool } from '../../support/real-bench.ts';
import { contextFor, createRepo, textsOf } from '../../support/repair-repo.ts';

const HEAD: Record<BenchTool, string> = {
  node: "import assert from 'node:assert/strict';\nimport { afterEach, beforeEach, describe, test } from 'node:test';\n",
  vitest:
    "import assert from 'node:assert/strict';\nimport { afterEach, beforeEach, describe, test } from 'vitest';\n",
  mocha: "import assert from 'node:assert/strict';\nimport { it as test } from 'mocha';\n",
  jest: "import assert from 'node:assert/strict';\nimport { afterEach, beforeEach, describe, test } from '@jest/globals';\n",
};

function repoWith(tool: BenchTool, source: string, tests: string): string {
  return createRepo({ 'src/subject.js': source, 'test/subject.test.js': HEAD[tool] + tests });
}

async function groundOf(root: string, tool: BenchTool): Promise<TrialGround> {
  const context = await contextFor(root, { tool });
  return { context, check: context.project.checks[0]!, testFile: 'test/subject.test.js' };
}

function replacing(root: string, before: string, ...afters: string[]): Candidate[] {
  const text = readFileSync(join(root, 'src/subject.js'), 'utf8');
  const start = text.indexOf(before);
  return afters.map((replacement) => ({
    edits: [{ file: 'src/subject.js', start, end: start + before.length, replacement }],
    operator: 'test',
    line: text.slice(0, start).split('\n').length,
    signature: `src/subject.js: ${before} → ${replacement}`,
    prior: 1,
  }));
}

const OPTIONS = { mode: 'failing', deadline: Infinity } as const;

function replacementsThatFix(verdicts: readonly FastVerdict[]): string[] {
  return verdicts.filter(({ fixed }) => fixed.length > 0).map(({ candidate }) => candidate.edits[0]!.replacement);
}

const SUM = 'export function sum(xs) {\n  let total = 0;\n  for (const x of xs) total -= x;\n  return total;\n}\n';
const SUM_TESTS = `import { sum } from '../src/subject.js';
describe('sum', () => {
  test('of nothing', () => assert.equal(sum([]), 0));
  test('of two', async () => assert.equal(sum([1, 2]), 3));
  test('of three', () => { assert.equal(sum([1, 2, 3]), 6); });
});
`;

describe.each(['node', 'vitest', 'mocha', 'jest'] as const)('fast trials under %s', (tool) => {
  it('finds the edit that fixes the failing tests among those that do not', async () => {
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

  it('tells which passing tests an edit breaks', async () => {
    const root = repoWith(tool, SUM, SUM_TESTS);
    const candidates = replacing(root, 'return total;', 'return xs.length === 2 ? 3 : 1;', 'return 0 - total;');
    const result = await tryFast(await groundOf(root, tool), candidates, { ...OPTIONS, mode: 'all' });
    expect(result.verdicts.map(({ fixed, broken }) => [fixed.length, broken.length])).toEqual([
      [1, 1],
      [2, 0],
    ]);
  });
});
