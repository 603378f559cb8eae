import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSearchActor } from '../../../src/repair/index.ts';
import { contextFor, createRepo, TEST_HEAD, testsBy } from '../../support/repair-repo.ts';

const WALK = `export function walk(path) {
  const kept = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '...') continue;
    if (part === '..') kept.shift();
    else kept.push(part);
  }
  return kept.join('-');
}
`;
const TESTS = `import { walk } from '../src/walk.js';
test('alone', () => assert.equal(walk('a'), 'a'));
test('a dot', () => assert.equal(walk('./a'), 'a'));
test('dots', () => assert.equal(walk('./././a'), 'a'));
test('up', () => assert.equal(walk('a/b/c/../d'), 'a/b/d'));
test('up and a dot', () => assert.equal(walk('./a/b/../c'), 'a/c'));
test('twice', () => assert.equal(walk('a/b/../../c/./d'), 'c/d'));
test('long', () => assert.equal(walk('a/./b/../c/d'), 'a/c/d'));
`;

describe('a search for several defects in one place', { timeout: 180_000 }, () => {
  it('accepts an edit that fixes some of the failing tests, even when its edits are used up', async () => {
    const root = createRepo({ 'src/walk.js': WALK, 'test/walk.test.js': TEST_HEAD.node + TESTS });
    const actor = createSearchActor({ maxCandidates: 400 });
    const trajectory = await actor.attempt(await contextFor(root, { checks: testsBy('node') }));
    const text = readFileSync(join(root, 'src/walk.js'), 'utf8');
    // Not `return 'a'`, which would make the same tests pass.
    expect(text).toContain("part === '.'");
    expect(trajectory.message).toMatch(/^One edit makes 2 failing tests pass\./);
  });
});
