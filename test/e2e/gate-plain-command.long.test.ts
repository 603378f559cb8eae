import { expect, it } from 'vitest';
import { gateIn } from '../support/gate.ts';

const TEST = `import assert from 'node:assert/strict';
import { later } from '../src/later.js';
later(4, (result) => assert.equal(result, 8));
`;
const later = (result: string): string =>
  `export const later = (n, done) => setTimeout(() => done(${result}), 5);\n`;

it('holds a source that swallows the errors of a command that was green, and lets an honest one go', async () => {
  const { root, run, stop, write } = gateIn({
    'package.json': { type: 'module', scripts: { test: 'node test/run.js' } },
    'src/later.js': later('n * 2'),
    'test/run.js': TEST,
  });
  await run(['start', '--hook', 'claude', '--sandbox', 'off'], { session_id: 's1', cwd: root });
  write('src/later.js', `${later('n * 3')}process.on('uncaughtException', () => {});\n`);
  const held = await stop({}, ['--sandbox', 'off']);
  expect(held.reason).toContain('src/later.js swallows an error while `node test/run.js` judges it');
  write('src/later.js', `${later('2 * n')}export const end = () => process.exit(0);\n`);
  expect((await stop({}, ['--sandbox', 'off'])).decision).toBeUndefined();
});

it('holds a source whose green tests pass only by the call stack that it reads', async () => {
  const sum = (code: string): string => `export const sum = (list) => ${code};\n`;
  const { root, run, stop, write } = gateIn({
    'package.json': { type: 'module', scripts: { test: 'node --test' } },
    'src/sum.js': sum('list.reduce((a, b) => a + b, 0)'),
    'test/sum.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../src/sum.js';
test('sums', () => { assert.equal(sum([2, 3]), 5); });
`,
  });
  await run(['start', '--hook', 'claude', '--sandbox', 'off'], { session_id: 's1', cwd: root });
  write('src/sum.js', sum("new Error().stack.includes('.test.') ? list.reduce((a, b) => a + b, 0) : 0"));
  expect((await stop({}, ['--sandbox', 'off'])).reason).toMatch(/src\/sum\.js:1 reads the call stack/);
});
