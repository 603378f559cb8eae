import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execaSync } from 'execa';
import { expect, test } from 'vitest';
import { processesWith } from '../../../src/platform/processes/process-tree.ts';
import { temporaryRepository, write } from '../../workspace/temporary-repository.ts';

const GIT = new URL('../../../src/platform/git/git.ts', import.meta.url).href;

/** Number of git processes that are left in a repository after the process that had started them has ended. */
async function leftBehind(args: readonly string[], waitsFor: string): Promise<number> {
  const root = temporaryRepository({ 'a.js': 'a\n' });
  execaSync('mkfifo', [join(root, waitsFor)]);
  write(root, { 'run.mjs': RUN });
  const program = spawn(process.execPath, [join(root, 'run.mjs'), GIT, root, ...args], {
    stdio: 'ignore',
  });
  await once(program, 'exit');
  await sleep(500);
  const left = processesWith(root);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  return left.length;
}

/** Starts git, and ends while git waits. */
const RUN = `
const [git, cwd, ...args] = process.argv.slice(2);
const { runGit } = await import(git);
void runGit(args, { cwd });
setTimeout(() => process.exit(0), 1000);
`;

test.each([['ls-files', '--others', '--exclude-standard']])(
  'a git command that only reads, and waits for a pipe, ends with ralph: %s',
  async (...args) => {
    expect(await leftBehind(args, '.gitignore')).toBe(0);
  },
);

test('one that writes is left to end by itself', async () => {
  expect(await leftBehind(['add', '--all'], '.gitignore')).toBe(1);
});
