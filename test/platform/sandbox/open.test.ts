import { describe, expect, it } from 'vitest';
import type { EngineChoice } from '../../../src/platform/sandbox/find-engine.ts';
import { openSandbox, type SandboxMode } from '../../../src/platform/sandbox/open.ts';
import type { SandboxPolicy } from '../../../src/platform/sandbox/sandbox.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** A policy that no engine can carry out: a folder that is not there is to be written. */
function impossible(): SandboxPolicy {
  const [folder, none] = [temporaryFolder(), '/no/such/folder'];
  return { write: [folder, none], read: [], hide: [], blank: [], network: false, passEnv: [] };
}

const open = (mode: SandboxMode, isForeign = false, engine: EngineChoice = 'auto') =>
  openSandbox({ mode, engine, policy: impossible, isForeign });

describe('where no sandbox works', () => {
  it('strict refuses, with what to do about it', async () => {
    await expect(open('strict')).rejects.toMatchObject({
      code: 'no_sandbox',
      exitCode: 2,
      hint: expect.stringContaining('--sandbox off') as string,
    });
  });

  it("auto refuses to run what others write, and goes on with the repository's own code, with one warning", async () => {
    await expect(open('auto', true)).rejects.toMatchObject({ code: 'no_sandbox' });
    const { sandbox, warning } = await open('auto');
    expect(sandbox).toBeUndefined();
    expect(warning).toMatch(/without a sandbox: bubblewrap .*--sandbox off/);
  });

  it('off looks for none, and says nothing', async () => {
    expect(await open('off', true)).toEqual({});
  });
});
