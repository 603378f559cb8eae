import { expect, it } from 'vitest';
import { gateIn } from '../support/gate.ts';

const MANIFEST = { version: '1.0.0', type: 'module', scripts: { test: 'node --test' } };
const test = (expected: number): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { value } from '../index.js';
test('value', () => assert.equal(value(), ${expected}));
`;

it('the gate judges the checks of a package that was added to a workspace, which the start cannot run', async () => {
  const { root, run, stop, write } = gateIn({
    'package.json': { private: true, workspaces: ['packages/*'], scripts: { test: 'npm test --workspaces' } },
    'packages/a/package.json': { ...MANIFEST, name: 'a' },
    'packages/a/index.js': 'export const value = () => 1;\n',
    'packages/a/test/a.test.js': test(1),
  });
  await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
  write('packages/c/package.json', JSON.stringify({ ...MANIFEST, name: 'c' }));
  write('packages/c/index.js', 'export const value = () => 3;\n');
  write('packages/c/test/c.test.js', test(3));
  expect(await stop()).toEqual({});
  write('packages/c/index.js', 'export const value = () => 4;\n');
  expect((await stop()).reason).toMatch(/the test "value" at packages\/c\/test\/c\.test\.js/);
  write('packages/c/index.js', 'export const value = () => 3;\n');
  write('packages/a/index.js', 'export const value = () => 2;\n');
  expect((await stop()).reason).toMatch(/the test "value" at packages\/a\/test\/a\.test\.js/);
});
