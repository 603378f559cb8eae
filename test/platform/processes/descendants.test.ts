import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { descendantsOf, isLiving, knownProcess } from '../../../src/platform/processes/descendants.ts';

function idsBelow(pid: number): number[] {
  return descendantsOf(pid).map(({ id }) => id);
}

describe('descendants of a process', () => {
  it('are its children and theirs, in sessions of their own too, and end with it being listed', async () => {
    const child = spawn('sh', ['-c', 'setsid sleep 30 & echo $!; wait'], { detached: true });
    child.stdout.setEncoding('utf8');
    const [line] = (await once(child.stdout, 'data')) as [string];
    const grandchild = Number(line);
    expect(idsBelow(process.pid)).toEqual(expect.arrayContaining([child.pid, grandchild]));
    const known = knownProcess(grandchild)!;
    expect(known.parent).toBe(child.pid);
    expect([isLiving(known), isLiving({ ...known, startedAt: known.startedAt - 1 })]).toEqual([true, false]);
    const ended = once(child, 'exit');
    for (const pid of [grandchild, child.pid!]) process.kill(pid, 'SIGKILL');
    await ended;
    expect(idsBelow(process.pid)).not.toContain(child.pid);
  });

  it('are none of a process that is not there', () => {
    expect(descendantsOf(2 ** 30)).toEqual([]);
    expect(knownProcess(2 ** 30)).toBeUndefined();
  });
});
