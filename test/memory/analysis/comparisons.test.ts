import { describe, expect, it } from 'vitest';
import { compareFamiliar, compareMemory } from '../../../src/memory/analysis/comparisons.ts';
import { attempt, loop } from './loops.ts';

describe('compareMemory', () => {
  it('compares success, attempts and candidates of loops with and without memory, with intervals', () => {
    const found = (tried: number) => ({ attempts: [attempt(1, 1, { tried })] });
    const on = Array.from({ length: 10 }, (_, index) =>
      index < 9 ? loop([0, 1], found(index + 1)) : loop([0, 0.5]),
    );
    const off = Array.from({ length: 10 }, (_, index) =>
      index < 3 ? loop([0, 1], { memory: false, ...found(100) }) : loop([0, 0.5], { memory: false }),
    );
    const comparison = compareMemory([...on, ...off]);
    expect(comparison.with.success).toMatchObject({ part: 9, n: 10 });
    expect(comparison.without.success).toMatchObject({ part: 3, n: 10 });
    expect(comparison.success_difference).toBeCloseTo(0.6, 10);
    expect(comparison.low).toBeCloseTo(0.1705, 4);
    expect(comparison.high).toBeCloseTo(0.809, 3);
    expect(comparison.too_few).toBe(false);
    expect(comparison.with.tried).toMatchObject({ n: 9, mean: 5 });
    expect(comparison.with.tried.low).toBeLessThan(5);
    expect(comparison.without.tried).toEqual({ n: 3, mean: 100, low: 100, high: 100 });
  });

  it('leaves out loops with an unknown result and loops with nothing to do', () => {
    const { with: on } = compareMemory([
      loop([0, 0.5], { status: null }),
      loop([0, 0.5], { status: 'running' }),
      loop([1], { status: 'nothing_to_do', attempts: [] }),
      loop([0, 1], { memory: null }),
    ]);
    expect(on.success).toMatchObject({ n: 0, share: null, too_few: true });
  });

  it('returns no difference where one group is empty', () => {
    expect(compareMemory([loop([0, 1])])).toMatchObject({
      success_difference: null,
      low: null,
      too_few: true,
    });
  });
});

describe('compareFamiliar', () => {
  it('recognises failures of earlier loops in any order of the input', () => {
    const first = loop([0, 0.5], {
      id: 'ralph-1',
      startedAt: 1,
      failures: ['a'],
      attempts: [attempt(1, 0.5, { failures: ['b'] })],
    });
    const again = loop([0, 1], { id: 'ralph-2', startedAt: 2, failures: ['b', 'x'] });
    const other = loop([0, 0.5], { id: 'ralph-3', startedAt: 3, failures: ['c'] });
    const unknown = loop([0, 1], { id: 'ralph-4', startedAt: 4 });
    const comparison = compareFamiliar([unknown, other, again, first]);
    expect(comparison.with.success).toMatchObject({ part: 1, n: 1 });
    expect(comparison.without.success).toMatchObject({ part: 0, n: 2 });
  });
});
