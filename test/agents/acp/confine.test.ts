import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { confineAgent, describeNewSettings } from '../../../src/agents/acp/confine.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import { openSandbox } from '../../../src/platform/sandbox/open.ts';
import { workspacePolicy } from '../../../src/platform/sandbox/policy.ts';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import { hasBubblewrap } from '../../support/bubblewrap.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

async function sandboxOf(root: string): Promise<Sandbox> {
  const place = { root, repository: root, dependencies: [] };
  const policy = () => workspacePolicy(place, { network: false, passEnv: [], read: [], write: [] });
  return (await openSandbox({ mode: 'strict', policy, engine: 'bubblewrap', isForeign: true })).sandbox!;
}

let own: string;
beforeEach(() => {
  own = temporaryFolder();
  writeFiles(own, { 'settings.json': '{}' });
  process.env['CLAUDE_CONFIG_DIR'] = own;
});
afterEach(() => void delete process.env['CLAUDE_CONFIG_DIR']);

describe.runIf(hasBubblewrap)('a confined agent', () => {
  it('keeps its own folder, its network and its keys, and cannot change its settings or read anything else', async () => {
    const [root, other] = [temporaryFolder(), temporaryFolder()];
    writeFiles(other, { secret: 'kept' });
    const confined = confineAgent('claude', 'auto', await sandboxOf(root))!;
    const lines = [
      'echo key $MY_API_KEY',
      'readlink /proc/self/ns/net',
      `echo session > ${own}/session; echo done > result`,
      `echo changed > ${own}/settings.json; rm -f ${own}/settings.json; mv ${own}/settings.json ${own}/old`,
      `echo hook > ${own}/hooks`,
      `cat ${other}/secret`,
    ];
    const { stdout } = await runProcess({
      shell: lines.join('\n'),
      cwd: root,
      env: { ...process.env, MY_API_KEY: 'mine' },
      sandbox: confined.sandbox,
    });
    expect(stdout).toBe(`key mine\n${readlinkSync('/proc/self/ns/net')}\n`);
    expect(readFileSync(join(own, 'session'), 'utf8')).toBe('session\n');
    expect(readFileSync(join(root, 'result'), 'utf8')).toBe('done\n');
    expect(readFileSync(join(own, 'settings.json'), 'utf8')).toBe('{}');
    expect(existsSync(join(own, 'old'))).toBe(false);
    expect(describeNewSettings('claude', confined)).toMatch(/^claude created .*hooks, which it reads/);
  });

  it('keeps what it writes at its first start, when its folder is not there yet', async () => {
    process.env['CLAUDE_CONFIG_DIR'] = join(own, 'new');
    const root = temporaryFolder();
    const { sandbox } = confineAgent('claude', 'auto', await sandboxOf(root))!;
    await runProcess({
      shell: 'echo 1 > "$CLAUDE_CONFIG_DIR/session"',
      cwd: root,
      env: process.env,
      sandbox,
    });
    expect(readFileSync(join(own, 'new', 'session'), 'utf8')).toBe('1\n');
  });

  it('is an unknown one only where the user says so', async () => {
    const sandbox = await sandboxOf(temporaryFolder());
    expect(confineAgent('mine', 'auto', sandbox)).toBeUndefined();
    expect(confineAgent('mine', 'on', sandbox)?.sandbox.engine).toBe('bubblewrap');
    expect(confineAgent('claude', 'off', sandbox)).toBeUndefined();
  });
});

it('is refused without a sandbox, and only where the user asks for it', () => {
  expect(() => confineAgent('claude', 'on', undefined)).toThrow(/--sandbox-agent on needs bubblewrap/);
  expect(confineAgent('claude', 'auto', undefined)).toBeUndefined();
});
