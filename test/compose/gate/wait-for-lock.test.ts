import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { waitForLock } from '../../../src/compose/gate/wait-for-lock.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const LOCK = new URL('../../../src/state/lock.ts', import.meta.url).href;
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A process that holds the lock of a repository. */
async function holderIn(root: string, command: string): Promise<ChildProcess> {
  const script = `import { acquireLock } from ${JSON.stringify(LOCK)};
acquireLock(${JSON.stringify(root)}, { loopId: 'ralph-gate', command: ${JSON.stringify(command)} });
console.log('held');
setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  await once(child.stdout!, 'data');
  return child;
}

function lockIn(root: string, waitMs: number): ReturnType<typeof waitForLock> {
  return waitForLock(root, { loopId: 'ralph-gate', waitMs, signal: new AbortController().signal });
}

function repository(): string {
  const root = temporaryFolder();
  mkdirSync(join(root, '.git'));
  return root;
}

it('does not wait for a check that was stopped, and names it', async () => {
  const root = repository();
  const child = await holderIn(root, 'gate');
  child.kill('SIGSTOP');
  await expect(lockIn(root, 60_000)).rejects.toMatchObject({
    code: 'lock_stopped',
    hint: `Let it go on: kill -CONT ${child.pid}`,
  });
  child.kill('SIGCONT');
  setTimeout(() => child.kill(), 1_000);
  (await lockIn(root, 60_000)).release();
}, 90_000);

it('waits for a loop of the user that was stopped', async () => {
  const root = repository();
  const child = await holderIn(root, 'run');
  child.kill('SIGSTOP');
  await expect(lockIn(root, 8_000)).rejects.toMatchObject({ code: 'locked' });
}, 60_000);
