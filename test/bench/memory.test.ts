import type { KnownRepair } from '../../bench/memory/order/known-repair.ts';
import { placeRepairs } from '../../bench/memory/order/place-repairs.ts';
import { createHabits } from '../../src/repair/habits/habits.ts';
import { describe, expect, it } from 'vitest';
import { decreaseOf, medianDecreaseOf, verifiedIn, type Pair } from '../../bench/memory/figures.ts';
import { seriesOf } from '../../bench/memory/repository.ts';
import { slippedSource } from '../../bench/memory/sequence.ts';
import { OWN_SEQUENCES } from '../../bench/memory/sequences/index.ts';

function pair(off: number | null, on: number | null): Pair {
  const outcome = (tried: number | null) => ({ verified: tried !== null, tried: tried ?? 4000 });
  return { series: 's', module: 'm', off: outcome(off), on: outcome(on) };
}

describe('decreaseOf', () => {
  it('compares the sums over the bugs that were verified in both arms', () => {
    const decrease = decreaseOf([pair(300, 30), pair(100, 70), pair(null, 5), pair(5, null)]);
    expect(decrease).toMatchObject({ bugs: 2, off: 400, on: 100, decrease: 0.75 });
    expect(decrease.low).toBeCloseTo(0.3, 10);
    expect(decrease.high).toBeCloseTo(0.9, 10);
  });

  it('returns an interval of width 0 if all bugs have the same decrease, and is deterministic', () => {
    const pairs = Array.from({ length: 20 }, (_, index) => pair(100 + index, (100 + index) / 2));
    const { decrease, low, high } = decreaseOf(pairs);
    expect([decrease, low, high]).toEqual([0.5, 0.5, 0.5]);
    expect(decreaseOf(pairs)).toEqual(decreaseOf(pairs));
  });

  it('is negative if more candidates are tried with memory', () => {
    expect(decreaseOf([pair(100, 150)]).decrease).toBe(-0.5);
  });

  it('is NaN without bugs', () => {
    expect(decreaseOf([pair(null, 3)])).toMatchObject({ bugs: 0, decrease: NaN, low: NaN });
  });

  it('gives every bug the same weight in the median', () => {
    const { decrease, low, high } = medianDecreaseOf([
      pair(1000, 1000),
      pair(10, 5),
      pair(0, 3),
      pair(5, null),
    ]);
    expect([decrease, low, high]).toEqual([0.25, 0, 0.5]);
    expect(medianDecreaseOf([pair(2, 32), pair(300, 30), pair(300, 300)]).decrease).toBe(0);
    expect(medianDecreaseOf([]).decrease).toBeNaN();
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
    expect(() => slippedSource(slip)).toThrow('m: "a" occurs 2 times, not once.');
    expect(() => slippedSource({ ...slip, right: 'c' })).toThrow('m: "c" occurs 0 times, not once.');
  });
});

describe('placeRepairs', () => {
  const repair = (name: string, before: string, after: string): KnownRepair => ({
    ...{ series: 'slips', name, file: `src/${name}.js`, testFile: `test/${name}.test.js`, testText: '' },
    ...{ before, after },
    learn: async () => createHabits([], []),
  });
  const sum = (name: string, sign: string): string =>
    `export function ${name}(list, most) {\n  let sum = 0;\n  for (const one of list) if (one.size ${sign} most) sum += one.size;\n  return sum;\n}\n`;

  it('puts a repair earlier that resembles an earlier one, and leaves out what is not proposed', async () => {
    const placed = await placeRepairs([
      repair('first', sum('first', '<'), sum('first', '<=')),
      repair('other', sum('other', '<'), 'export const other = [];\n'),
      repair('second', sum('second', '<'), sum('second', '<=')),
    ]);
    expect(placed.map(({ name, known }) => [name, known])).toEqual([
      ['first', 0],
      ['second', 1],
    ]);
    const [, second] = placed;
    expect(second!.places.on).toBeLessThanOrEqual(second!.off!);
    expect(second!.places.on).toBe(1);
  });
});
