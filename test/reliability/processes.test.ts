import { describe, expect, it } from 'vitest';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { CHILDREN } from './processes/children.ts';
import { takeFloods } from './processes/floods.ts';
import { endAll, processesNamed, survivorsOf } from './processes/survivors.ts';
import { processesSuite } from './processes.ts';
import { hasBubblewrap } from '../support/bubblewrap.ts';

describe.runIf(hasBubblewrap)('programs', { timeout: 400_000 }, () => {
  it('leave no process, and their output does not fill the memory', async () => {
    const rows = await processesSuite.run({ full: false, seed: 1, onProgress: () => undefined });
    for (const { claim, tried, held, gaps } of rows)
      expect([claim, held, gaps]).toEqual([claim, tried, gaps]);
  });
});

describe('the trials', { timeout: 100_000 }, () => {
  it('detect the children of a program that was killed without them', async () => {
    const word = `sleep ${900_000 + (process.pid % 1000)}`;
    const lines = Object.values(CHILDREN).map((line) => line.replaceAll('TASK', word));
    const child = execa('sh', ['-c', `${lines.join('\n')}\nsleep 30`], { stdio: 'ignore', reject: false });
    await delay(500);
    child.kill('SIGKILL');
    const survivors = await survivorsOf(word.replace(' ', '\0'));
    endAll([...survivors, ...processesNamed(word)]);
    endAll(await survivorsOf(word.replace(' ', '\0')));
    expect(survivors.length).toBeGreaterThanOrEqual(Object.keys(CHILDREN).length - 1);
  });

  it('report how much output was received and how much was kept', () => {
    const [lines] = takeFloods(5_000_000, false, () => undefined);
    expect(lines).toMatchObject({ exitCode: 0, seen: 5_000_010 });
    expect(lines!.kept).toBeLessThan(100_000);
  });
});
