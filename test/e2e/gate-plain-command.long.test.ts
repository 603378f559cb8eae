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
