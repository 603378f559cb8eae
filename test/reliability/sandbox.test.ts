import { describe, expect, it } from 'vitest';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { sampleOf } from './sample.ts';
import { sandboxSuite } from './sandbox.ts';
import { ATTACKS } from './sandbox/attacks.ts';
import { trapScript } from './sandbox/git-traps.ts';
import { tryAll } from './sandbox/try-all.ts';
import { hasBubblewrap } from '../support/bubblewrap.ts';
import { temporaryFolder } from '../support/repositories.ts';

describe.runIf(hasBubblewrap)('the sandbox', { timeout: 400_000 }, () => {
  it('stops every attack, and allows ordinary work', async () => {
    const rows = await sandboxSuite.run({ full: false, seed: 1, onProgress: () => undefined });
    const broken = rows.filter(({ tried, held }) => held < tried);
    expect(broken.map(({ claim, gaps }) => ({ claim, gaps }))).toEqual([]);
    expect(rows[0]!.tried).toBeGreaterThanOrEqual(190);
  });
});

describe('without the sandbox', { timeout: 400_000 }, () => {
  it('most of the same attacks succeed; the others need chance or privileges', async () => {
    const { tried, successes } = await tryAll({ mode: 'off', attacks: sampleOf(ATTACKS, 6, 1) });
    const share = process.getuid?.() === 0 ? 0.8 : 0.6;
    expect(successes.length).toBeGreaterThan(tried * share);
  });

  it('commands of git execute the planted hooks and filters', () => {
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
