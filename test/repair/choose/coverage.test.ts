import { describe, expect, it } from 'vitest';
import { coverageOf, surroundingsOf } from '../../../src/repair/choose/coverage.ts';
import { instrumentForTrace } from '../../../src/repair/localise/trace.ts';
import { changeOf } from '../../../src/repair/refuse/change.ts';
import { parseSource, type ParsedSource } from '../../../src/repair/syntax/parse.ts';
import { createRepo, groundOf, replacing, TEST_HEAD } from '../../support/repair-repo.ts';

const SOURCE = `export function total(list, extra) {
  let sum = 1;
  for (const item of list) {
    sum += item;
  }
  if (extra) sum += extra;
  return sum;
}
`;

async function coverage(tests: string) {
  const root = createRepo({
    'src/subject.js': SOURCE,
    'test/subject.test.js': `${TEST_HEAD.node}import { total } from '../src/subject.js';\n${tests}`,
  });
  const [candidate] = replacing(root, 'sum = 1', 'sum = 0');
  return await coverageOf(await groundOf(root, 'node'), candidate!);
}

describe('coverageOf', { timeout: 120_000 }, () => {
  it('counts the statements and tests that reach the changed function', async () => {
    const tests =
      "test('a', () => assert.equal(total([1]), 1));\ntest('b', () => assert.equal(total([2], 3), 5));\n";
    expect(await coverage(`${tests}test('c', () => {});\n`)).toEqual({
      reached: 1,
      hasIdleLoop: false,
      tests: 2,
    });
  });

  it('counts what runs while modules load, whose values every test gets', async () => {
    const root = createRepo({
      'src/subject.js': `function codesOf(texts) {
  return Object.values(texts).map((text) => Number(text));
}
export const codes = codesOf({ 200: 'OK' });
`,
      'test/subject.test.js': `${TEST_HEAD.node}import { codes } from '../src/subject.js';
test('a', () => assert.deepEqual(codes, [200]));
test('b', () => assert.equal(codes.length, 1));
`,
    });
    const [candidate] = replacing(root, 'Object.values', 'Object.keys');
    const found = await coverageOf(await groundOf(root, 'node'), candidate!);
    expect(found).toEqual({ reached: 1, hasIdleLoop: false, tests: 2 });
  });

  it('reports a loop that no test enters', async () => {
    const { reached, hasIdleLoop } = await coverage("test('a', () => assert.equal(total([]), 0));\n");
    expect(hasIdleLoop).toBe(true);
    expect(reached).toBeGreaterThan(0.3);
    expect(reached).toBeLessThan(1);
  });
});

describe('surroundingsOf', () => {
  const body = 'if (list) {\n    sum = 1;\n    sum += 2;\n  }\n';
  const surroundings = (more: number): string => {
    const text = `export function total(list) {\n  let sum;\n  ${body}${'  sum++;\n'.repeat(more)}  return sum;\n}\n`;
    const parsed = parseSource('a.js', text) as ParsedSource;
    const start = text.indexOf('sum = 1') + 6;
    const candidate = {
      edits: [{ file: 'a.js', start, end: start + 1, replacement: '0' }],
      ...{ operator: 'test', line: 1, signature: '', prior: 1 },
    };
    const change = changeOf(parsed, candidate)!;
    const { statements } = instrumentForTrace(change.after, 0);
    return surroundingsOf(change, statements)
      .map(({ start: from, end }) => change.after.text.slice(from, end))
      .join('');
  };

  it('are the changed function', () => {
    expect(surroundings(3)).toMatch(/^export function|^function/);
  });

  it('are the largest block around the edit that is not large, in a large function', () => {
    expect(surroundings(40)).toBe('{\n    sum = 0;\n    sum += 2;\n  }');
  });
});
