import { expect, it } from 'vitest';
import { decodeValue, encodeValue } from '../../../src/proof/replay/call-values.ts';
import type { Job } from '../../../src/proof/replay/repeat-program.ts';
import { makeStandIns } from '../../../src/proof/replay/stand-ins.ts';

it('a function of a test answers by the timer that its program took', async () => {
  const waits: unknown[] = [];
  const wait = ((done: (value: unknown) => void, ms: number, value: unknown) => {
    waits.push(ms);
    done(value);
  }) as unknown as typeof setTimeout;
  const answers = { 1: [{ text: encodeValue(7, true), isAsync: true }] };
  const job = { calls: [{ at: 0, args: '{"a":[{"c":1}]}', answers }], answersAfterMs: 30 } as unknown as Job;
  const standIns = makeStandIns(job, { encode: encodeValue, decode: decodeValue, wait });
  const [answer] = standIns.argsOf('{"a":[{"c":1}]}') as [() => Promise<unknown>];
  expect(await answer()).toBe(7);
  expect(waits).toEqual([30]);
});
