import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILES, FIXED, gateIn } from '../support/gate.ts';
import { temporaryFolder } from '../support/repositories.ts';

describe('ralph gate and chance', () => {
  it('lets a flaky test go that fails once, and tells the user', async () => {
    const ran = join(temporaryFolder(), 'ran');
    const { root, run, stop, write } = gateIn({
      ...FILES,
      'src/sums.js': FIXED,
      'test/flaky.test.js': `import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { test } from 'node:test';
test('depends on time', () => {
  const isLate = existsSync(${JSON.stringify(ran)});
  rmSync(${JSON.stringify(ran)}, { force: true });
  assert.equal(isLate, false);
});
`,
    });
    await run(['start', '--hook', 'claude', '--sandbox', 'off'], { session_id: 's1', cwd: root });
    write('src/extra.js', 'export const extra = 1;\n');
    expect(await stop({}, ['--sandbox', 'off'])).toEqual({});
    write('src/extra.js', 'export const extra = 2;\n');
    writeFileSync(ran, '');
    expect((await stop({}, ['--sandbox', 'off'])).systemMessage).toMatch(
      /Flaky, passed twice when run again: test\/flaky.test.js > depends on time/,
    );
  });

  it('holds a source that newly draws chance, where the tests pass in each run of the start', async () => {
    const runs = join(temporaryFolder(), 'runs');
    const { root, run, stop, write } = gateIn({ ...FILES, 'src/sums.js': FIXED });
    await run(['start', '--hook', 'claude', '--sandbox', 'off'], { session_id: 's1', cwd: root });
    const drawing = (failing: string): string => `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(runs)}, '.');
const run = readFileSync(${JSON.stringify(runs)}, 'utf8').length;
const off = Math.random() < ${failing} ? 1 : 0;
export const add = (a, b) => a + b + off;
export const twice = (a) => 2 * a;
export const negate = (a) => -a;
`;
    write('src/sums.js', drawing('2 && run === 5'));
    const held = await stop({}, ['--sandbox', 'off']);
    expect(held.reason).toMatch(
      /Test ".*" passed and failed in runs of these very files, and passed in each of 6 runs of the start\. .*chance at src\/sums\.js:4/,
    );
    write('src/sums.js', drawing('0 && run === 5'));
    expect((await stop({}, ['--sandbox', 'off'])).decision).toBeUndefined();
  });

  it('lets one go whose flaky test fails at the start as well, and holds one that made it so', async () => {
    const runs = join(temporaryFolder(), 'runs');
    // It fails in every run of an odd number.
    const restless = `import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { name } from '../src/name.js';
test('is restless', () => {
  if (name === 'steady') return;
  appendFileSync(${JSON.stringify(runs)}, '.');
  assert.equal(readFileSync(${JSON.stringify(runs)}, 'utf8').length % 2, 0);
});
`;
    const name = (text: string): string => `export const name = '${text}';\n`;
    const files = { ...FILES, 'src/sums.js': FIXED, 'test/restless.test.js': restless };
    const first = gateIn({ ...files, 'src/name.js': name('restless') });
    // The run of the start passes, and so does every second one after it.
    writeFileSync(runs, '.');
    await first.run(['start', '--sandbox', 'off']);
    first.write('src/sums.js', `${FIXED}// a comment\n`);
    const checked = await first.run(['check', '--sandbox', 'off']);
    expect(checked.stdout).toMatch(/Red by chance, at the start too, .*"is restless"/);
    expect(checked.exitCode).toBe(0);
    const other = gateIn({ ...files, 'src/name.js': name('steady') });
    await other.run(['start', '--sandbox', 'off']);
    writeFileSync(runs, '');
    other.write('src/name.js', name('restless'));
    const held = await other.run(['check', '--sandbox', 'off']);
    expect(held.stdout).toMatch(/"is restless".*passed when run again, and failed after that/);
    expect(held.exitCode).toBe(1);
  });
});
