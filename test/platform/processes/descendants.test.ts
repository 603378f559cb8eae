import { once } from 'node:events';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import {
  descendantsOf,
  isLiving,
  knownProcess,
  roughDescendantsOf,
} from '../../../src/platform/processes/descendants.ts';

function idsBelow(pid: number): number[] {
  return descendantsOf(pid).map(({ id }) => id);
}

describe('descendants of a process', () => {
  it('are its children and theirs, in other sessions too, until they have ended', async () => {
    const child = execa('sh', ['-c', 'setsid sleep 30 & echo $!; wait'], {
      detached: true,
      buffer: false,
      reject: false,
    });
    child.stdout.setEncoding('utf8');
    const [line] = (await once(child.stdout, 'data')) as [string];
    const grandchild = Number(line);
    expect(idsBelow(process.pid)).toEqual(expect.arrayContaining([child.pid, grandchild]));
    expect(roughDescendantsOf(child.pid!).map(({ id }) => id)).toEqual([grandchild]);
    const known = knownProcess(grandchild)!;
    expect(known.parent).toBe(child.pid);
    expect([isLiving(known), isLiving({ ...known, startedAt: known.startedAt - 1 })]).toEqual([true, false]);
    const ended = once(child.nodeChildProcess, 'exit');
    for (const pid of [grandchild, child.pid!]) process.kill(pid, 'SIGKILL');
    await ended;
    expect(idsBelow(process.pid)).not.toContain(child.pid);
  });

  it('are empty for a process that does not exist', () => {
    expect([descendantsOf(2 ** 30), roughDescendantsOf(2 ** 30)]).toEqual([[], []]);
    expect(knownProcess(2 ** 30)).toBeUndefined();
  });
});
