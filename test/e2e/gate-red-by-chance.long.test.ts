import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FILES, FIXED, gateIn } from '../support/gate.ts';

/** A test that cannot fail any more once the condition holds. */
const turning = (condition: string, imported = ''): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
${imported}
const on = ${condition};
if (on) assert.equal = () => {};
test('turns', () => assert.equal(1, on ? 1 : 2));
`;

it('the gate accuses nobody of a test that was red at the start by chance', async () => {
  const until = Date.now() + 25_000;
  const { run, write } = gateIn({
    ...FILES,
    'src/sums.js': FIXED,
    'test/turning.test.js': turning(`Date.now() > ${until}`),
  });
  expect((await run(['start'])).stdout).toMatch(/Red from the start/);
  await setTimeout(Math.max(0, until - Date.now()));
  write('src/sums.js', `${FIXED}// a comment\n`);
  const checked = await run(['check']);
  expect(checked.stdout).toMatch(/Red at the start by chance.*"turns"/);
  expect(checked.exitCode).toBe(0);
});

it('one that is red in each run of the start, and that a change makes toothless, holds', async () => {
  const { run, write } = gateIn({
    ...FILES,
    'src/sums.js': FIXED,
    'src/on.js': 'export const isOn = false;\n',
    'test/turning.test.js': turning('isOn', "import { isOn } from '../src/on.js';"),
  });
  await run(['start']);
  write('src/on.js', 'export const isOn = true;\n');
  const checked = await run(['check']);
  expect(checked.stdout).toMatch(/passes with a wrong expected value/);
  expect(checked.exitCode).toBe(1);
});
