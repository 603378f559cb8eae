import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSearchActor } from '../../../src/actors/search/index.ts';
import { validate } from '../../../src/schema/validate.ts';
import { contextFor, createRepo } from '../../support/repair-repo.ts';

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

const HEADS = {
  node: "import assert from 'node:assert/strict';\nimport test from 'node:test';\n",
  vitest: "import assert from 'node:assert/strict';\nimport { test } from 'vitest';\n",
} as const;

describe.each(['node', 'vitest'] as const)('the search actor under %s', (tool) => {
  it('repairs a wrong comparison and says what it did', async () => {
    const root = createRepo({ 'src/clamp.js': CLAMP, 'test/clamp.test.js': HEADS[tool] + CLAMP_TESTS });
    const context = await contextFor(root, { tool });
    const trajectory = await createSearchActor().attempt(context);
    console.log(JSON.stringify(trajectory, null, 1));
    expect(trajectory.outcome).toBe('edited');
    expect(readFileSync(join(root, 'src/clamp.js'), 'utf8')).toBe(CLAMP.replace('value < high', 'value > high'));
    expect(validate('trajectory', trajectory)).toMatchObject({ ok: true });
  });
});
