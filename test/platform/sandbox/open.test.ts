import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EngineChoice } from '../../../src/platform/sandbox/find-engine.ts';
import { openSandbox, type SandboxMode } from '../../../src/platform/sandbox/open.ts';
import type { SandboxPolicy } from '../../../src/platform/sandbox/sandbox.ts';
import { hasBubblewrap } from '../../support/bubblewrap.ts';
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

describe.runIf(hasBubblewrap)('a policy that permits to write nothing', () => {
  it('works as any other', async () => {
    const policy = (): SandboxPolicy => ({ ...impossible(), write: [] });
    const request = { mode: 'strict', engine: 'bubblewrap', isForeign: false } as const;
    expect(await openSandbox({ ...request, policy })).toMatchObject({ sandbox: { engine: 'bubblewrap' } });
  });
});

describe.runIf(hasBubblewrap)('the file that remembers the policy that works', () => {
  const strict = (policy: () => SandboxPolicy, provenIn: string) =>
    openSandbox({ mode: 'strict', engine: 'bubblewrap', policy, provenIn, isForeign: false });
  const plain = (): SandboxPolicy => ({ ...impossible(), write: [temporaryFolder()] });

  it('is written once a program has run, for every workspace, and removed once one was refused', async () => {
    const file = join(temporaryFolder(), 'sandbox');
    await strict(plain, file);
    expect(existsSync(file)).toBe(true);
    const { sandbox } = await strict(plain, file);
    sandbox!.refused!();
    expect(existsSync(file)).toBe(false);
  });

  it('saves the try for the other workspaces of the process', async () => {
    const [file, other] = [join(temporaryFolder(), 'sandbox'), join(temporaryFolder(), 'sandbox')];
    const first = await strict(plain, file);
    const sign = readFileSync(file);
    first.sandbox!.refused!();
    writeFileSync(file, sign);
    await strict(plain, file);
    await strict(plain, other);
    expect(existsSync(other)).toBe(false);
  });

  it('says nothing about another policy', async () => {
    const file = join(temporaryFolder(), 'sandbox');
    writeFileSync(file, 'a'.repeat(64));
    await expect(strict(impossible, file)).rejects.toMatchObject({ code: 'no_sandbox' });
  });
});
