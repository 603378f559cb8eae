import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSearchActor } from '../../../src/repair/index.ts';
import type { AcceptedEdit, Trajectory } from '../../../src/schema/generated.ts';
import { contextFor, createRepo, TEST_HEAD, testsBy } from '../../support/repair-repo.ts';

const PAGE = `export function page(entries, number, size) {
  const start = (number - 1) * size;
  const end = Math.min(start + size, entries.length);
  const shown = [];
  for (let index = start; index <= end; index++) {
    shown.push(entries[index]);
  }
  return shown;
}
`;
const TESTS = `import { page } from '../src/page.js';
test('first', () => assert.deepEqual(page([1, 2, 3, 4, 5], 1, 2), [1, 2]));
test('last', () => assert.deepEqual(page([1, 2, 3], 2, 2), [3]));
test('none', () => assert.deepEqual(page([], 1, 2), []));
`;

function repair(operator: string, edit: string): AcceptedEdit {
  return {
    operator,
    edit: `src/other.js: ${edit} @0a1b`,
    file_path: 'src/other.js',
    test_file: 'test/other.test.js',
  };
}

async function repaired(
  experience: readonly AcceptedEdit[],
): Promise<{ text: string; trajectory: Trajectory }> {
  const root = createRepo({ 'src/page.js': PAGE, 'test/page.test.js': TEST_HEAD.node + TESTS });
  const actor = createSearchActor({ readExperience: () => Promise.resolve(experience) });
  const trajectory = await actor.attempt(await contextFor(root, { checks: testsBy('node') }));
  return { trajectory, text: readFileSync(join(root, 'src/page.js'), 'utf8') };
}

const EXPECTED = PAGE.replace('index <= end', 'index < end');

describe('a search with experience', { timeout: 180_000 }, () => {
  it('tries recalled edits first and finds the same repair with far fewer trials', async () => {
    const before = await repaired([]);
    const after = await repaired([repair('comparison', 'k <= last → k < last')]);
    expect([before.text, after.text]).toEqual([EXPECTED, EXPECTED]);
    expect(before.trajectory.ruled_out.tried).toBeGreaterThan(100);
    expect(after.trajectory.ruled_out.tried).toBeLessThanOrEqual(30);
    for (const { rationale } of [before.trajectory, after.trajectory])
      expect(rationale).toMatch(/^It was number [1-9]\d* in the order of trials\.$/m);
  });

  it('finds the repair in its first batch too if no recalled edit is one', async () => {
    const before = await repaired([]);
    const after = await repaired([repair('number', 'limit = 1 → limit = 0')]);
    const batches = ({ actions }: Trajectory): number =>
      actions.filter(({ description }) => description.startsWith('Tried ')).length;
    expect([batches(before.trajectory), batches(after.trajectory)]).toEqual([1, 1]);
    expect(after.text).toBe(EXPECTED);
    const extra = after.trajectory.ruled_out.tried - before.trajectory.ruled_out.tried;
    expect(extra).toBeLessThanOrEqual(30);
  });
});
