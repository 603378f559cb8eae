import { describe, expect, it } from 'vitest';
import { fallOf, medianFallOf, verifiedIn, type Pair } from '../../bench/memory/figures.ts';
import { seriesOf } from '../../bench/memory/repository.ts';
import { slippedSource } from '../../bench/memory/sequence.ts';
import { OWN_SEQUENCES } from '../../bench/memory/sequences/index.ts';

function pair(off: number | null, on: number | null): Pair {
  const outcome = (tried: number | null) => ({ verified: tried !== null, tried: tried ?? 4000 });
  return { series: 's', module: 'm', off: outcome(off), on: outcome(on) };
}

describe('fallOf', () => {
  it('compares the sums over the bugs that were verified in both arms', () => {
    const fall = fallOf([pair(300, 30), pair(100, 70), pair(null, 5), pair(5, null)]);
    expect(fall).toMatchObject({ bugs: 2, off: 400, on: 100, fall: 0.75 });
    expect(fall.low).toBeCloseTo(0.3, 10);
    expect(fall.high).toBeCloseTo(0.9, 10);
  });

  it('returns an interval of width 0 if all bugs have the same fall, and is deterministic', () => {
    const pairs = Array.from({ length: 20 }, (_, index) => pair(100 + index, (100 + index) / 2));
    const { fall, low, high } = fallOf(pairs);
    expect([fall, low, high]).toEqual([0.5, 0.5, 0.5]);
    expect(fallOf(pairs)).toEqual(fallOf(pairs));
  });

  it('is negative if more is tried with memory', () => {
    expect(fallOf([pair(100, 150)]).fall).toBe(-0.5);
  });

  it('is NaN without bugs', () => {
    expect(fallOf([pair(null, 3)])).toMatchObject({ bugs: 0, fall: NaN, low: NaN });
  });

  it('has a median over bugs in medianFallOf', () => {
    const { fall, low, high } = medianFallOf([pair(1000, 1000), pair(10, 5), pair(0, 3), pair(5, null)]);
    expect([fall, low, high]).toEqual([0.25, 0, 0.5]);
    expect(medianFallOf([pair(2, 32), pair(300, 30), pair(300, 300)]).fall).toBe(0);
    expect(medianFallOf([]).fall).toBeNaN();
  });

  it('is reported with the number of verified bugs in each arm', () => {
    const pairs = [pair(1, 1), pair(null, 1), pair(1, 1)];
    expect([verifiedIn(pairs, 'on'), verifiedIn(pairs, 'off')]).toEqual([3, 2]);
  });
});

describe('the sequences', () => {
  it('hold 50 bugs, each in a module of its own', () => {
    const bugs = OWN_SEQUENCES.flatMap((sequence) => seriesOf(sequence).bugs);
    expect(bugs).toHaveLength(50);
    for (const { source, reference } of bugs) expect(source).not.toBe(reference);
    for (const { slips } of OWN_SEQUENCES) expect(new Set(slips.map(({ module }) => module)).size).toBe(10);
  });

  it('reject a slip whose place is missing or ambiguous', () => {
    const slip = { module: 'm', source: 'a a', right: 'a', wrong: 'b', cases: [] };
    expect(() => slippedSource(slip)).toThrow('m: "a" stands 2 times in it.');
    expect(() => slippedSource({ ...slip, right: 'c' })).toThrow('m: "c" stands 0 times in it.');
  });
});
