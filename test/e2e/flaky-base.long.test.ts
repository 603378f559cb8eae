import { readFileSync, writeFileSync } from 'node:fs';
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
    ['with a task', ['fix the failing test', '--apply-unproven']],
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

  it('a part of the test command that no check runs proves a repair too, if it is red each time', async () => {
    const root = repositoryWith({
      ...NODE_TEST_FILES,
      'package.json': {
        type: 'module',
        scripts: { test: 'node --test test/*.test.js && node self-check.js' },
      },
      'src/add.js': GREEN,
      'src/minus.js': 'export const minus = (a, b) => a + b;\n',
      'self-check.js': "import { minus } from './src/minus.js';\nif (minus(5, 3) !== 2) process.exit(1);\n",
    });
    const run = await ralphRun(root, ['-i', '1', '--command', "sed -i 's/a + b/a - b/' src/minus.js"]);
    expect(run, run.stderr).toMatchObject({ exitCode: 0, verdict: { verified: true } });
  });

  /** The flags of a loop whose `--accept` command fails in the runs with these numbers, and a file with one byte for each run. */
  function acceptedBut(runs: readonly number[]): { flags: string[]; file: string } {
    const file = join(temporaryFolder(), 'accepted');
    writeFileSync(file, '');
    const program = `const fs = require('fs'); fs.appendFileSync('${file}', '.'); process.exit([${runs.join(', ')}].includes(fs.statSync('${file}').size) ? 1 : 0)`;
    const actor = ['--sandbox', 'off', '-i', '1', '--command', 'echo more >> README.md'];
    return { flags: ['do it', '--accept', `node -e "${program}"`, ...actor], file };
  }

  it('counts for a command of --accept as well', async () => {
    const root = repositoryWith({ ...NODE_TEST_FILES, 'src/add.js': GREEN });
    const { flags, file } = acceptedBut([1]);
    const run = await ralphRun(root, flags);
    expect(run, run.stderr).toMatchObject({ exitCode: 8, verdict: { verified: false } });
    expect(readFileSync(file, 'utf8').length).toBeGreaterThan(2);
  });

  it('a command that turned green and fails in a further run is not accepted', async () => {
    const root = repositoryWith({ ...NODE_TEST_FILES, 'src/add.js': GREEN });
    const run = await ralphRun(root, acceptedBut([1, 5, 9]).flags);
    expect(run, run.stderr).toMatchObject({ exitCode: 1, verdict: { verified: false } });
    expect(run.stderr).toContain('stability ("The result is not stable: ');
  });
});
