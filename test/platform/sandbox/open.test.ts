import { describe, expect, it } from 'vitest';
import type { EngineChoice } from '../../../src/platform/sandbox/find-engine.ts';
import { openSandbox, type SandboxMode } from '../../../src/platform/sandbox/open.ts';
import type { SandboxPolicy } from '../../../src/platform/sandbox/sandbox.ts';
import { temporaryFolder } from '../../support/repositories.ts';

/** A policy that every engine refuses: the writable folder does not exist. */
function impossible(): SandboxPolicy {
  const [folder, none] = [temporaryFolder(), '/no/such/folder'];
  return { write: [folder, none], read: [], hide: [], blank: [], scratch: [], network: false, passEnv: [] };
}

const open = (mode: SandboxMode, isForeign = false, engine: EngineChoice = 'auto') =>
  openSandbox({ mode, engine, policy: impossible, isForeign });

describe('openSandbox, if no sandbox works', () => {
  it('throws in the mode strict, with a remedy', async () => {
    await expect(open('strict')).rejects.toMatchObject({
      code: 'no_sandbox',
      exitCode: 2,
      hint: expect.stringContaining('--sandbox off') as string,
    });
  });

  it("throws in the mode auto for commands of others, and warns for the repository's own code", async () => {
    await expect(open('auto', true)).rejects.toMatchObject({ code: 'no_sandbox' });
    const { sandbox, warning } = await open('auto');
    expect(sandbox).toBeUndefined();
    expect(warning).toMatch(/without a sandbox: bubblewrap .*--sandbox off/);
  });

  it('neither tries an engine nor warns in the mode off', async () => {
    expect(await open('off', true)).toEqual({});
  });
});
