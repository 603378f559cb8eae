/** Worker that runs a regular expression on attack texts. The caller ends it if it hangs. */
import { parentPort } from 'node:worker_threads';
import { attacksOn, renderAttack, type Attack } from './regex-attacks.ts';

export interface Probe {
  readonly source: string;
  readonly flags: string;
  /** Largest number of attacks, evenly selected. */
  readonly most: number;
  /** Length of the texts in the first round. */
  readonly shortLength: number;
  /** Length of the texts in the second round, with the slowest attacks. */
  readonly longLength: number;
}

const SLOWEST = 3;

parentPort?.on('message', ({ source, flags, most, shortLength, longLength }: Probe) => {
  const regex = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const all = attacksOn(source);
  const step = Math.max(1, Math.ceil(all.length / most));
  const timed = all
    .filter((_, index) => index % step === 0)
    .map((attack) => ({ attack, ms: time(regex, attack, shortLength) }));
  const slowest = timed.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  const ms = Math.max(0, ...slowest.map(({ attack }) => time(regex, attack, longLength)));
  parentPort?.postMessage({ ms });
});

function time(regex: RegExp, attack: Attack, length: number): number {
  const text = renderAttack(attack, length);
  const started = performance.now();
  regex.lastIndex = 0;
  for (const match of text.matchAll(regex)) void match;
  return performance.now() - started;
}
