import { describe, expect, it } from 'vitest';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { sandboxSuite } from './sandbox.ts';
import { trapScript } from './sandbox/git-traps.ts';
import { tryAll } from './sandbox/try-all.ts';
import { hasBubblewrap } from '../support/bubblewrap.ts';
import { temporaryFolder } from '../support/repositories.ts';

describe.runIf(hasBubblewrap)('the sandbox', { timeout: 400_000 }, () => {
  it('holds against every attack, and lets honest work be done', async () => {
    const rows = await sandboxSuite.run({ full: false, onProgress: () => undefined });
    for (const { what, tried, held, gaps } of rows) expect([what, held, gaps]).toEqual([what, tried, gaps]);
    expect(rows[0]!.tried).toBeGreaterThanOrEqual(60);
  });
});

describe('without the sandbox', { timeout: 400_000 }, () => {
  it('the same attacks succeed, but for a few that need luck or rights', async () => {
    const { tried, successes } = await tryAll({ mode: 'off' });
    const share = process.getuid?.() === 0 ? 0.8 : 0.6;
    expect(successes.length).toBeGreaterThan(tried * share);
  });

  it("the traps for git are sprung by git's own commands", () => {
    const [root, marks] = [temporaryFolder(), mkdtempSync(join(temporaryFolder(), 'marks-'))];
    execaSync('sh', ['-c', `${trapScript(marks)}\necho a > a; git add --all; git status; git diff; true`], {
      cwd: root,
      stdio: 'ignore',
    });
    expect(readdirSync(marks).sort()).toEqual(
      expect.arrayContaining(['clean-filter', 'fsmonitor', 'post-index-change']),
    );
  });
});
