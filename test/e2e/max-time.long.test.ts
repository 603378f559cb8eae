import { describe, expect, it } from 'vitest';
import { ralph, ralphRun } from '../support/ralph.ts';
import { fingerprintOf, NODE_TEST_FILES, QUICK_FILES, repositoryWith } from '../support/repositories.ts';

const ENDLESS = 'export const add = () => {\n  for (;;);\n};\nexport const twice = add;\n';

describe('--max-time', () => {
  it('ends a baseline that does not end, with exit code 3 and a remedy', async () => {
    const root = repositoryWith({ ...NODE_TEST_FILES, 'src/add.js': ENDLESS });
    const before = fingerprintOf(root);
    const run = await ralph(root, ['run', '--max-time', '3s', '--check-timeout', '60s']);
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toMatch(
      /--max-time 3\.0 s was over before the checks of the untouched tree had ended/,
    );
    expect(run.stderr).toMatch(/--check-timeout/);
    expect(fingerprintOf(root)).toBe(before);
  });

  it('ends the evaluation of an attempt that does not end, and says what was cut off', async () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const before = fingerprintOf(root);
    const command = `printf 'export const add = () => { for (;;); };\\nexport const twice = add;\\n' > src/add.js`;
    const run = await ralphRun(root, ['--command', command, '--max-time', '6s', '--check-timeout', '60s']);
    expect(run).toMatchObject({ exitCode: 3, verdict: { status: 'budget', verified: false } });
    expect(run.verdict.reason).toContain(
      'The time budget is spent: the evaluation of attempt 1 was cut off.',
    );
    expect(fingerprintOf(root)).toBe(before);
  });

  it('ends an actor that does not end in time to evaluate its edits', async () => {
    const root = repositoryWith(QUICK_FILES);
    const command = "sed -i 's/a - b/a + b/' src/add.js; sleep 300";
    const run = await ralphRun(root, ['--command', command, '--max-time', '20s']);
    expect(run).toMatchObject({ exitCode: 0, verdict: { verified: true, iterations: 1 } });
  });
});
