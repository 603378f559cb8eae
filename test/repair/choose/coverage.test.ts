import { describe, expect, it } from 'vitest';
import { coverageOf } from '../../../src/repair/choose/coverage.ts';
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

  it('reports a loop that no test enters', async () => {
    const { reached, hasIdleLoop } = await coverage("test('a', () => assert.equal(total([]), 0));\n");
    expect(hasIdleLoop).toBe(true);
    expect(reached).toBeGreaterThan(0.3);
    expect(reached).toBeLessThan(1);
  });
});
