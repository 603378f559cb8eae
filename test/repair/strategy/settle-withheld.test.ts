import { describe, expect, it } from 'vitest';
import { createSearchActor } from '../../../src/repair/index.ts';
import { contextFor, createRepo, TEST_HEAD, testsBy } from '../../support/repair-repo.ts';

const SOURCE = 'export function limit(value, most) {\n  if (value < most) return most;\n  return value;\n}\n';
const IMPORT = "import { limit } from '../src/limit.js';\n";

describe('edits that are not sure enough', { timeout: 180_000 }, () => {
  it('are listed only if a run of the whole check shows that they break no test of another file', async () => {
    const root = createRepo({
      'src/limit.js': SOURCE,
      'test/limit.test.js': `${TEST_HEAD.node}${IMPORT}test('above', () => assert.equal(limit(7, 4), 4));\n`,
      'test/below.test.js': `${TEST_HEAD.node}${IMPORT}test('below', () => assert.equal(limit(1, 4), 4));\n`,
    });
    const actor = createSearchActor({ minConfidence: 1 });
    const trajectory = await actor.attempt(await contextFor(root, { checks: testsBy('node') }));
    const patches = (trajectory.alternatives ?? []).map(({ patch }) => patch);
    expect(trajectory.outcome).toBe('gave_up');
    expect(patches.length).toBeGreaterThan(0);
    // With any of these, `limit(1, 4)` is no longer 4.
    for (const patch of patches) expect(patch).not.toMatch(/\+ .*value (?:>=?|===) most/);
    expect(trajectory.message).toContain(`${patches.length} plausible edit`);
  });
});
