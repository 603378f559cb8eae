import { expect, it } from 'vitest';
import { samplesLine } from '../../src/report/samples-line.ts';
import type { Sample } from '../../src/schema/generated.ts';

function sample(number: number, over: Partial<Sample> = {}): Sample {
  const rest = { reward: 0.5, passed: false, files: [], failures: [], patch: '' };
  return { number, chosen: false, outcome: 'claimed_done', ...rest, ...over };
}

it('says which of several attempts stands for all, and why others ended early', () => {
  const ended_early = 'the key was rejected';
  expect(
    samplesLine([sample(1, { ended_early }), sample(2, { chosen: true }), sample(3, { ended_early })]),
  ).toBe('number 2 of 3 stands for the attempt; numbers 1 and 3 ended early: the key was rejected');
  expect(samplesLine([sample(1, { chosen: true }), sample(2)])).toBe('number 1 of 2 stands for the attempt');
});
