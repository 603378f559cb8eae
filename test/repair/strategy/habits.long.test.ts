import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSearchActor } from '../../../src/repair/index.ts';
import type { PastChange } from '../../../src/repair/habits/habits.ts';
import type { WithheldMemory } from '../../../src/schema/generated.ts';
import { contextFor, createRepo, TEST_HEAD, testsBy } from '../../support/repair-repo.ts';

const PAGE = `export function page(entries, number, size) {
  const start = (number + 1) * size;
  const end = Math.min(start + size, entries.length);
  const shown = [];
  for (let index = start; index < end; index++) {
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
const CHANGE = { before: 'const last = count + 1;', after: 'const last = count - 1;' };
const NOTHING: WithheldMemory = { all: false };

/** The number of the repair in the order of trials, and how often the history was read. */
async function repaired(
  changes: readonly PastChange[] | undefined,
  withheld = NOTHING,
): Promise<{ readonly number: number; readonly reads: number }> {
  const root = createRepo({ 'src/page.js': PAGE, 'test/page.test.js': TEST_HEAD.node + TESTS });
  let reads = 0;
  const readPastChanges = async (): Promise<readonly PastChange[]> => {
    reads++;
    return changes!;
  };
  const actor = createSearchActor(changes === undefined ? {} : { readPastChanges });
  const context = await contextFor(root, { checks: testsBy('node') });
  const { rationale } = await actor.attempt({ ...context, withheld });
  expect(readFileSync(join(root, 'src/page.js'), 'utf8')).toBe(PAGE.replace('number + 1', 'number - 1'));
  const number = /^It was number (\d+) in the order of trials\.$/m.exec(rationale)![1]!;
  return { number: Number(number), reads };
}

describe('a search in a repository with habits', { timeout: 180_000 }, () => {
  it('tries a change that the history made before earlier, but not where memory is withheld', async () => {
    const without = await repaired(undefined);
    const changes = [CHANGE, CHANGE, CHANGE];
    const told = await repaired(changes);
    const withheld = await repaired(changes, { ...NOTHING, all: true });
    expect(without.number).toBeGreaterThan(2);
    expect(told.number).toBeLessThan(without.number);
    expect(told.reads).toBe(1);
    expect(withheld).toEqual({ number: without.number, reads: 0 });
  });
});
