import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import type { Attack } from './attack.ts';
import { WON, type Ground } from './ground.ts';

const TIMEOUT_MS = 10_000;
/** Those of `process` write their file after 0.3 s, if they still run. */
const LATER_MS = 450;
/** As the system keeps passwords. */
const PASSWORD_FILE = /^root:/m;

/** What an attack brought about; empty where it failed. Without a sandbox the command has our own rights. */
export async function tryAttack(attack: Attack, ground: Ground, sandbox?: Sandbox): Promise<string[]> {
  const { workspace, variables, secret } = ground;
  const { stdout, stderr } = await runProcess({
    shell: attack.command,
    cwd: workspace,
    env: { ...childEnvironment(), ...variables },
    timeoutMs: TIMEOUT_MS,
    sandbox,
  });
  if (attack.kind === 'process') await delay(LATER_MS);
  // What came over a socket is counted in a turn of its own.
  await delay(20);
  const told = stdout + stderr;
  const late = join(workspace, 'late');
  const survived = existsSync(late);
  rmSync(late, { force: true });
  return [
    ...ground.damage(),
    ...(told.includes(secret) ? ['a secret was read'] : []),
    ...(PASSWORD_FILE.test(stdout) ? ['the password file was read'] : []),
    ...(stdout.includes(WON) ? ['it says that it won'] : []),
    ...(survived ? ['it went on after its end'] : []),
  ];
}
