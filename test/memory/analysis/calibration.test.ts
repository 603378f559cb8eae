import { describe, expect, it } from 'vitest';
import { calibration, judgedReflections } from '../../../src/memory/analysis/calibration.ts';
import { attempt, loop } from './loops.ts';

describe('judgedReflections', () => {
  it('returns reflections followed by an attempt, and whether that attempt improved', () => {
    const attempts = [
      attempt(1, 0.5, { confidence: 0.9 }),
      attempt(2, 0.5, { confidence: 0.4 }),
      attempt(3, 0.6),
      attempt(4, 0.2, { confidence: 0.7 }),
      attempt(6, 1, { confidence: 0.1 }),
    ];
    expect(judgedReflections([loop([0], { attempts })])).toEqual([
      { confidence: 0.9, improved: false },
      { confidence: 0.4, improved: true },
    ]);
  });

  it('counts a passing attempt as an improvement at any reward', () => {
    const attempts = [
      attempt(1, 0.999, { confidence: 0.8, passed: false }),
      attempt(2, 0.99, { passed: true }),
    ];
    expect(judgedReflections([loop([0], { attempts })])[0]!.improved).toBe(true);
  });
});

describe('calibration', () => {
  const repeat = (
    count: number,
    confidence: number,
    improved: boolean,
  ): { confidence: number; improved: boolean }[] =>
    Array.from({ length: count }, () => ({ confidence, improved }));

  it('returns the share of improvements per confidence bin and the correlation, both with intervals', () => {
    const judged = [...repeat(5, 0.9, true), ...repeat(5, 0.9, false), ...repeat(10, 0.6, false)];
    const { n, too_few, correlation, low, high, bins } = calibration(judged);
    expect({ n, too_few }).toEqual({ n: 20, too_few: false });
    // Cov 0.0375, deviations 0.15 and √0.1875.
    expect(correlation).toBeCloseTo(0.57735, 5);
    expect(low).toBeLessThan(0.57735);
    expect(low).toBeGreaterThan(0);
    expect(high).toBeGreaterThan(0.57735);
    expect(bins.map(({ from, to, part, n: size }) => [from, to, part, size])).toEqual([
      [0, 0.5, 0, 0],
      [0.5, 0.7, 0, 10],
      [0.7, 0.85, 0, 0],
      [0.85, 1, 5, 10],
    ]);
    expect(bins[3]!.low).toBeCloseTo(0.2366, 4);
    expect(bins[0]).toMatchObject({ share: null, low: null, high: null, too_few: true });
  });

  it('puts confidence 1 into the last bin', () => {
    expect(calibration(repeat(1, 1, true)).bins.map(({ n }) => n)).toEqual([0, 0, 0, 1]);
  });

  it('returns no correlation for constant confidence, and marks few reflections as too few', () => {
    expect(calibration(repeat(9, 0.6, true))).toMatchObject({ correlation: null, low: null, too_few: true });
    expect(calibration([])).toMatchObject({ n: 0, correlation: null, too_few: true });
  });
});
