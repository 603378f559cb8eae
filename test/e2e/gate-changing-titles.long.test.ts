import { expect, it } from 'vitest';
import { FILES, FIXED, gateIn } from '../support/gate.ts';

const TESTS = `import { test } from 'node:test';
import { count } from '../src/count.js';
for (let at = 0; at < count; at++) test('at ' + process.hrtime.bigint() + Math.random(), () => {});
test('stays', () => {});
`;

it('the gate knows tests whose titles change with each run, and misses one that does not run', async () => {
  const { root, run, stop, write } = gateIn({
    ...FILES,
    'src/sums.js': FIXED,
    'src/count.js': 'export const count = 3;\n',
    'test/changing.test.js': TESTS,
  });
  await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
  write('src/extra.js', 'export const extra = 1;\n');
  expect(await stop()).toEqual({});
  write('src/count.js', 'export const count = 2;\n');
  expect((await stop()).reason).toMatch(/changing\.test\.js > \(a title that changes with each run\) #3/);
  write('src/count.js', 'export const count = 3;\n\n');
  expect(await stop()).toEqual({});
});
