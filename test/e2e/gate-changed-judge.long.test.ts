import { expect, it } from 'vitest';
import { gateIn } from '../support/gate.ts';

const near = (by: string): string =>
  `export function near(got, want) {\n  if (Math.abs(got - want) > ${by}) throw new Error(got + ' is not near ' + want);\n}\n`;
const total = (code: string): string => `export const total = (list) => ${code};\n`;

it('holds a helper in the sources that was loosened to fit what it judges, and lets one go that was only rewritten', async () => {
  const { root, run, stop, write } = gateIn({
    'package.json': { type: 'module', scripts: { test: 'node --test' } },
    'src/near.js': near('0.5'),
    'src/total.js': total('list.reduce((a, b) => a + b, 0)'),
    'test/total.test.js': `import { test } from 'node:test';
import { near } from '../src/near.js';
import { total } from '../src/total.js';
test('totals', () => { near(total([2, 3]), 5); });
`,
  });
  await run(['start', '--hook', 'claude', '--sandbox', 'off'], { session_id: 's1', cwd: root });
  write('src/near.js', near('500'));
  write('src/total.js', total('list.reduce((a, b) => a + b, 100)'));
  const held = await stop({}, ['--sandbox', 'off']);
  expect(held.reason).toContain('"totals" of test/total.test.js judges by near of src/near.js');
  write('src/near.js', near('1 / 2'));
  write('src/total.js', total('list.reduce((all, one) => all + one, 0)'));
  expect((await stop({}, ['--sandbox', 'off'])).decision).toBeUndefined();
});
