import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ralphRun } from '../support/ralph.ts';
import { HONEST_FIX, NODE_TEST_FILES, repositoryWith, temporaryFolder } from '../support/repositories.ts';

const GREEN = 'export const add = (a, b) => a + b;\nexport const twice = (a) => add(a, a);\n';

/** A repository with a test that fails in its first run only, as a disturbance would have it; and its actor's flags. */
function flakyRepository(): { root: string; flags: string[] } {
  const marker = join(temporaryFolder(), 'ran');
  const root = repositoryWith({
    ...NODE_TEST_FILES,
    'src/add.js': GREEN,
    'test/flaky.test.js': `import { existsSync, writeFileSync } from 'node:fs';
import assert from 'node:assert';
import { test } from 'node:test';
test('reaches the server', () => {
  const isFirst = !existsSync('${marker}');
  writeFileSync('${marker}', '');
  assert.ok(!isFirst);
});
`,
  });
  return { root, flags: ['--sandbox', 'off', '-i', '1', '--command', 'echo more >> README.md'] };
}

describe('a check that was red by chance', () => {
  it.each([
    ['without a task', []],
    ['with a task', ['add slugify to src/text.js', '--apply-unproven']],
  ])('proves nothing %s: the result is unproven', async (_, words) => {
    const { root, flags } = flakyRepository();
    const run = await ralphRun(root, [...words, ...flags]);
    expect(run).toMatchObject({ exitCode: 8, verdict: { status: 'unproven', verified: false } });
    expect(run.verdict.reason).toContain('passed when the untouched tree was checked again');
    expect(run.verdict.proof!.criteria).toMatchObject([{ source: 'check', red_before: false, flaky: true }]);
  });

  it('does not keep a real repair from being verified', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const run = await ralphRun(root, ['--command', HONEST_FIX]);
    expect(run).toMatchObject({ exitCode: 0, verdict: { verified: true } });
    expect(run.verdict.proof!.criteria[0]!.flaky).toBeUndefined();
  });

  it('counts for a command of --accept as well', async () => {
    const root = repositoryWith({ ...NODE_TEST_FILES, 'src/add.js': GREEN });
    const file = join(temporaryFolder(), 'accepted');
    writeFileSync(file, '');
    const once = `node -e "const fs = require('fs'); const n = fs.readFileSync('${file}', 'utf8').length; fs.appendFileSync('${file}', '.'); process.exit(n < 1 ? 1 : 0)"`;
    const run = await ralphRun(root, [
      'do it',
      '--accept',
      once,
      '--sandbox',
      'off',
      '-i',
      '1',
      '--command',
      'echo more >> README.md',
    ]);
    expect(run, run.stderr).toMatchObject({ exitCode: 8, verdict: { verified: false } });
    expect(existsSync(file) && readFileSync(file, 'utf8').length).toBeGreaterThan(2);
  });
});
