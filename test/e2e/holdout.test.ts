import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ralph } from '../support/ralph.ts';
import { repositoryWith, temporaryFolder } from '../support/repositories.ts';

/** An actor that notes what the list of processes shows, and is right in each attempt. */
async function runWith(options: readonly string[]) {
  const root = repositoryWith({ 'package.json': '{}\n', 'a.txt': 'wrong\n' });
  const notes = temporaryFolder();
  const actor = `cat /proc/*/cmdline > ${notes}/seen 2> /dev/null; echo "right $RALPH_ITERATION" > a.txt`;
  const check = ['--check', 'tests=grep -q right a.txt'];
  const args = ['run', 'Repair it', ...check, '--sandbox', 'off', '--command', actor, ...options];
  const { stdout } = await ralph(root, args);
  return { stdout, notes, seen: readFileSync(join(notes, 'seen'), 'latin1') };
}

it('held-out checks that fail run once, end the loop and are not in the list of processes', async () => {
  const counted = join(temporaryFolder(), 'count');
  const { stdout, seen } = await runWith(['--holdout', `echo once >> ${counted}; false`]);
  expect(stdout).toMatch(/NOT VERIFIED.*The held-out checks run once in a loop/);
  expect(readFileSync(counted, 'utf8')).toBe('once\n');
  expect(seen).not.toContain('echo once');
});

it('the control: any other option is in the list of processes', async () => {
  const { seen } = await runWith(['--max-iterations', '1', '--accept', 'grep -q "right 1" a.txt']);
  if (existsSync('/proc')) expect(seen).toContain('grep -q "right 1" a.txt');
});
