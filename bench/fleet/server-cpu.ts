import { readdirSync, readFileSync } from 'node:fs';

/** Of `/proc`'s times. */
const MS_PER_TICK = 10;

/** CPU of a server and its connections, also of those that have ended, in milliseconds. Linux only. */
export function serverCpu(pid: number): number {
  const [, ...own] = timesOf(pid);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => timesOf(Number(name)))
    .filter(([parent]) => parent === pid)
    .map(([, user, system]) => user! + system!);
  return [...own, ...children].reduce((sum, ticks) => sum + ticks, 0) * MS_PER_TICK;
}

/** Parent, then ticks of user and system, own and of ended children. A process that is gone has none. */
function timesOf(pid: number): readonly number[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    return [fields[1]!, ...fields.slice(11, 15)];
  } catch {
    return [0, 0, 0, 0, 0];
  }
}
