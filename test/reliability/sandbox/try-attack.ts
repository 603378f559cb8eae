import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import type { Attack } from './attack.ts';
import { SUCCEEDED, type Testbed } from './testbed.ts';

const TIMEOUT_MS = 10_000;
/** Attacks of the kind `process` write a file after 0.3 s if they still run. */
const LATER_MS = 450;
/** A line of /etc/shadow. */
const PASSWORD_FILE = /^root:/m;

/** Runs an attack and returns the signs of its success. Without a sandbox the command has the rights of this process. */
export async function tryAttack(attack: Attack, testbed: Testbed, sandbox?: Sandbox): Promise<string[]> {
  const { workspace, variables, secret } = testbed;
  const { stdout, stderr } = await runProcess({
    shell: attack.command,
    cwd: workspace,
    env: { ...childEnvironment(), ...variables },
    timeoutMs: TIMEOUT_MS,
    sandbox,
  });
  if (attack.kind === 'process') await delay(LATER_MS);
  // Connections are counted in a later turn of the event loop.
  await delay(20);
  const output = stdout + stderr;
  const late = join(workspace, 'late');
  const survived = existsSync(late);
  rmSync(late, { force: true });
  return [
    ...testbed.damage(),
    ...(output.includes(secret) ? ['a secret was read'] : []),
    ...(PASSWORD_FILE.test(stdout) ? ['the password file was read'] : []),
    ...(stdout.includes(SUCCEEDED) ? ['it says that it won'] : []),
    ...(survived ? ['a process survived its command'] : []),
  ];
}
